#include "spmd/lowering/interpreter/kernels/Gemm.h"

#include "spmd/lowering/interpreter/Memory.h"
#include "spmd/lowering/interpreter/StatusMacros.h"
#include "spmd/lowering/interpreter/Storage.h"
#include "spmd/lowering/interpreter/StridedCopy.h"
#include "spmd/lowering/interpreter/kernels/OpenBlas.h"
#include "spmd/lowering/interpreter/kernels/SmallGemm.h"

#include <algorithm>
#include <climits>
#include <limits>
#include <optional>

namespace spmd {

/// Adds and multiplies as the elementwise ops do: integers wrap, i1 is or-of-ands.
template <typename T> static T multiplyAdd(T sum, T a, T b) {
  if constexpr (std::is_same_v<T, bool>) {
    return sum || (a && b);
  } else if constexpr (std::is_integral_v<T>) {
    using U = std::conditional_t<(sizeof(T) < 4), uint32_t, std::make_unsigned_t<T>>;
    return static_cast<T>(static_cast<U>(sum) + static_cast<U>(a) * static_cast<U>(b));
  } else {
    return sum + a * b;
  }
}

/// Returns `rows` by `columns` elements as columns by rows, in `scratch`.
template <typename T>
static const T *transposed(const T *from, int64_t rows, int64_t columns,
                           std::optional<Scratch> &scratch) {
  scratch.emplace(rows * columns * sizeof(T));
  transposeElements(rows, columns, sizeof(T), reinterpret_cast<const std::byte *>(from),
                    scratch->data());
  return reinterpret_cast<const T *>(scratch->data());
}

template <typename T>
static absl::Status plainGemm(bool transposeA, bool transposeB, int64_t m, int64_t n, int64_t k,
                              const void *aData, const void *bData, void *cData) {
  auto *a = static_cast<const T *>(aData), *b = static_cast<const T *>(bData);
  auto *c = static_cast<T *>(cData);
  std::optional<Scratch> scratch;
  if (transposeB && n > 1 && k > 1)
    b = transposed(b, n, k, scratch);
  std::fill_n(c, m * n, T(0));
  for (int64_t i = 0; i < m; ++i)
    for (int64_t l = 0; l < k; ++l) {
      T x = a[transposeA ? l * m + i : i * k + l];
      const T *row = b + l * n;
      T *sums = c + i * n;
      SPMD_INDEPENDENT
      for (int64_t j = 0; j < n; ++j)
        sums[j] = multiplyAdd(sums[j], x, row[j]);
    }
  return absl::OkStatus();
}

/// Products that fit the first caches. Few columns are computed as rows: those make no vectors.
template <typename T>
static void cachedGemm(bool transposeA, bool transposeB, int64_t m, int64_t n, int64_t k,
                       const T *a, const T *b, T *c) {
  constexpr int64_t fewColumns = 8;
  std::optional<Scratch> packed, result;
  if (n < fewColumns && m > n) {
    const T *right = transposeA ? a : transposed(a, m, k, packed);
    T *rows = c;
    if (n > 1) {
      result.emplace(m * n * sizeof(T));
      rows = reinterpret_cast<T *>(result->data());
    }
    smallGemm(n, m, k, b, transposeB ? k : 1, transposeB ? 1 : n, right, rows);
    if (n > 1)
      transposeElements(n, m, sizeof(T), result->data(), reinterpret_cast<std::byte *>(c));
    return;
  }
  if (transposeB && n > 1 && k > 1)
    b = transposed(b, n, k, packed);
  smallGemm(m, n, k, a, transposeA ? 1 : k, transposeA ? m : 1, b, c);
}

template <typename T>
static absl::Status blasGemm(bool transposeA, bool transposeB, int64_t m, int64_t n, int64_t k,
                             const void *a, const void *b, void *c) {
  // Small products cost less without the library's blocking, and are then summed up in order.
  constexpr int64_t fewProducts = 1 << 17;
  if (m == 0 || n == 0 || k == 0 || std::max({m, n, k}) > INT_MAX)
    return plainGemm<T>(transposeA, transposeB, m, n, k, a, b, c);
  if (m * n < fewProducts && m * n * k < fewProducts) {
    cachedGemm(transposeA, transposeB, m, n, k, static_cast<const T *>(a),
               static_cast<const T *>(b), static_cast<T *>(c));
    return absl::OkStatus();
  }
  SPMD_RETURN_IF_ERROR(loadOpenBlas());
  auto left = transposeA ? CblasTrans : CblasNoTrans;
  auto right = transposeB ? CblasTrans : CblasNoTrans;
  int lda = transposeA ? m : k, ldb = transposeB ? k : n;
  if constexpr (std::is_same_v<T, float>)
    cblas_sgemm(CblasRowMajor, left, right, m, n, k, 1, static_cast<const T *>(a), lda,
                static_cast<const T *>(b), ldb, 0, static_cast<T *>(c), n);
  else
    cblas_dgemm(CblasRowMajor, left, right, m, n, k, 1, static_cast<const T *>(a), lda,
                static_cast<const T *>(b), ldb, 0, static_cast<T *>(c), n);
  return absl::OkStatus();
}

static GemmFunction gemmFor(ElementType element) {
  return visitNative(element, [](auto tag) -> GemmFunction {
    using T = typename decltype(tag)::Type;
    if constexpr (std::is_floating_point_v<T>)
      return &blasGemm<T>;
    else
      return &plainGemm<T>;
  });
}

static absl::StatusOr<std::shared_ptr<const TileProgram>>
conversion(const KernelRequest &request, ElementType from, ElementType to) {
  if (from == to)
    return std::shared_ptr<const TileProgram>();
  Function body;
  body.values = {{from, {}}, {to, {}}};
  body.numArguments = 1;
  body.instructions = {Instruction{"convert", {0}, {1}}};
  body.results = {1};
  SPMD_ASSIGN_OR_RETURN(TileProgram tiles,
                        TileProgram::create(request.program, body, request.registry));
  return std::make_shared<const TileProgram>(std::move(tiles));
}

/// Returns the narrowest float type that has every sum of `numProducts` products of such integers
/// exactly; nothing if there is none, or if `result` does not have every sum.
static std::optional<ElementType> exactFloat(ElementType lhs, ElementType rhs, ElementType result,
                                             int64_t numProducts) {
  if (!isInteger(result) || result == ElementType::i1 || !isInteger(lhs) || !isInteger(rhs))
    return std::nullopt;
  auto magnitudeBits = [](ElementType type) {
    return bitWidth(type) - (isSignedInteger(type) ? 1 : 0);
  };
  bool isSigned = isSignedInteger(lhs) || isSignedInteger(rhs);
  int bits = magnitudeBits(lhs) + magnitudeBits(rhs); // Of the magnitude of a sum.
  for (int64_t products = 1; products < numProducts && bits < 64; products *= 2)
    ++bits;
  if ((isSigned && !isSignedInteger(result)) || bits >= bitWidth(result))
    return std::nullopt;
  if (bits <= std::numeric_limits<float>::digits)
    return ElementType::f32;
  if (bits <= std::numeric_limits<double>::digits)
    return ElementType::f64;
  return std::nullopt;
}

absl::StatusOr<ProductTypes> ProductTypes::create(const KernelRequest &request,
                                                  int64_t numProducts) {
  ElementType lhs = request.operands[0].element, rhs = request.operands[1].element,
              result = request.results[0].element;
  ProductTypes types;
  types.compute = result;
  if (isFloat(result)) // The widest, in the order of the enum.
    types.compute = std::max({ElementType::f32, lhs, rhs, result});
  if (isInteger(result) && result != ElementType::i1 && bitWidth(result) < 8)
    types.compute = isSignedInteger(result) ? ElementType::i8 : ElementType::ui8;
  // A float takes a library's product, integers a plain one.
  if (std::optional<ElementType> exact = exactFloat(lhs, rhs, result, numProducts))
    types.compute = *exact;
  types.gemm = gemmFor(types.compute);
  SPMD_ASSIGN_OR_RETURN(types.fromLhs, conversion(request, lhs, types.compute));
  SPMD_ASSIGN_OR_RETURN(types.fromRhs, conversion(request, rhs, types.compute));
  SPMD_ASSIGN_OR_RETURN(types.toResult, conversion(request, types.compute, result));
  return types;
}

void convertElements(const TileProgram &conversion, int64_t n, const void *in, void *out) {
  conversion.run(n, {in}, {out}, {false});
}

} // namespace spmd
