#include "spmd/lowering/interpreter/kernels/SmallGemm.h"

#include "spmd/lowering/interpreter/kernels/Vectorized.h"

#include <cstring>

namespace spmd {
namespace {

template <typename T> struct Product {
  int64_t n, k;
  const T *a;
  int64_t rowStride, columnStride;
  const T *b;
  T *c;
};

/// Computes `rows` rows and `vectors` vectors of columns of C, which stay in registers.
template <typename V, int rows, int vectors, typename T>
SPMD_INLINE void block(const Product<T> &product, int64_t row, int64_t column) {
  constexpr int bytes = sizeof(V), lanes = bytes / sizeof(T); // V is T where a column is left over.
  auto [n, k, a, rowStride, columnStride, b, c] = product;
  V sums[rows][vectors] = {};
  const T *left = a + row * rowStride, *right = b + column;
  for (int64_t l = 0; l < k; ++l, left += columnStride, right += n)
    for (int v = 0; v < vectors; ++v) {
      V values;
      std::memcpy(&values, right + v * lanes, sizeof(V));
      for (int i = 0; i < rows; ++i)
        sums[i][v] += values * left[i * rowStride];
    }
  for (int i = 0; i < rows; ++i)
    for (int v = 0; v < vectors; ++v)
      std::memcpy(c + (row + i) * n + column + v * lanes, &sums[i][v], sizeof(V));
}

/// All columns of `rows` rows: as wide as they come, the last ones by single elements.
template <typename V, int rows, typename T>
SPMD_INLINE void rowsOf(const Product<T> &product, int64_t row) {
  typedef T Half __attribute__((vector_size(16)));
  constexpr int64_t lanes = sizeof(V) / sizeof(T), half = sizeof(Half) / sizeof(T);
  int64_t column = 0, n = product.n;
  for (; column + 2 * lanes <= n; column += 2 * lanes)
    block<V, rows, 2>(product, row, column);
  for (; column + lanes <= n; column += lanes)
    block<V, rows, 1>(product, row, column);
  for (; column + half <= n; column += half)
    block<Half, rows, 1>(product, row, column);
  for (; column < n; ++column)
    block<T, rows, 1>(product, row, column);
}

template <int vectorBytes, typename T>
SPMD_INLINE void allRows(int64_t m, const Product<T> &product) {
  typedef T V __attribute__((vector_size(vectorBytes)));
  int64_t row = 0;
  for (; row + 4 <= m; row += 4)
    rowsOf<V, 4>(product, row);
  for (; row < m; ++row)
    rowsOf<V, 1>(product, row);
}

template <typename T> void plainRows(int64_t m, const Product<T> &product) {
  allRows<16>(m, product);
}

#ifdef SPMD_WIDE_TARGET
template <typename T> SPMD_WIDE_TARGET void wideRows(int64_t m, const Product<T> &product) {
  allRows<32>(m, product);
}
#endif

} // namespace

template <typename T>
void smallGemm(int64_t m, int64_t n, int64_t k, const T *a, int64_t rowStride, int64_t columnStride,
               const T *b, T *c) {
  Product<T> product{n, k, a, rowStride, columnStride, b, c};
#ifdef SPMD_WIDE_TARGET
  if (hasWideVectors())
    return wideRows(m, product);
#endif
  plainRows(m, product);
}

template void smallGemm<float>(int64_t, int64_t, int64_t, const float *, int64_t, int64_t,
                               const float *, float *);
template void smallGemm<double>(int64_t, int64_t, int64_t, const double *, int64_t, int64_t,
                                const double *, double *);

} // namespace spmd
