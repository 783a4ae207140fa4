// Calls glibc's libmvec. This file alone is compiled for vectors of 32 bytes (CMakeLists.txt),
// since they are passed in registers only then. So it includes nothing that other files have
// inline, too.
#include "spmd/lowering/interpreter/kernels/VectorFunctions.h"

#if defined(__linux__)
#include <features.h>
#endif

#if defined(__AVX2__) && defined(__GLIBC__)
#if __GLIBC_PREREQ(2, 35)
#define SPMD_HAS_LIBMVEC
#endif
#endif

namespace spmd::by_vectors {

#ifdef SPMD_HAS_LIBMVEC

namespace {

constexpr int vectorElements = 4;
using Vector = double __attribute__((vector_size(vectorElements * sizeof(double))));
/// The same, wherever in memory.
using StoredVector =
    double __attribute__((vector_size(vectorElements * sizeof(double)), aligned(8), may_alias));

extern "C" {
Vector _ZGVdN4v_cbrt(Vector);
Vector _ZGVdN4v_cos(Vector);
Vector _ZGVdN4v_exp(Vector);
Vector _ZGVdN4v_expm1(Vector);
Vector _ZGVdN4v_log(Vector);
Vector _ZGVdN4v_log1p(Vector);
Vector _ZGVdN4v_sin(Vector);
Vector _ZGVdN4v_tan(Vector);
Vector _ZGVdN4v_tanh(Vector);
Vector _ZGVdN4vv_atan2(Vector, Vector);
Vector _ZGVdN4vv_pow(Vector, Vector);
}

Vector logisticOf(Vector x) { return 1 / (1 + _ZGVdN4v_exp(-x)); }

/// Returns fewer elements than a vector has, and the first again.
Vector loadedRest(const double *from, int64_t count) {
  return Vector{from[0], from[count > 1 ? 1 : 0], from[count > 2 ? 2 : 0], from[0]};
}

void storeRest(Vector vector, double *to, int64_t count) {
  for (int64_t i = 0; i < count; ++i)
    to[i] = vector[i];
}

template <Vector (*function)(Vector)> void unary(int64_t n, void *out, const void *const *in) {
  auto *a = static_cast<const double *>(in[0]);
  auto *r = static_cast<double *>(out);
  int64_t i = 0;
  for (; i + vectorElements <= n; i += vectorElements)
    *reinterpret_cast<StoredVector *>(r + i) =
        function(*reinterpret_cast<const StoredVector *>(a + i));
  if (i < n)
    storeRest(function(loadedRest(a + i, n - i)), r + i, n - i);
}

template <Vector (*function)(Vector, Vector)>
void binary(int64_t n, void *out, const void *const *in) {
  auto *a = static_cast<const double *>(in[0]), *b = static_cast<const double *>(in[1]);
  auto *r = static_cast<double *>(out);
  int64_t i = 0;
  for (; i + vectorElements <= n; i += vectorElements)
    *reinterpret_cast<StoredVector *>(r + i) =
        function(*reinterpret_cast<const StoredVector *>(a + i),
                 *reinterpret_cast<const StoredVector *>(b + i));
  if (i < n)
    storeRest(function(loadedRest(a + i, n - i), loadedRest(b + i, n - i)), r + i, n - i);
}

} // namespace

const bool areThere = true;

#define SPMD_BY_VECTORS(name, loop)                                                                \
  void name(int64_t n, void *out, const void *const *in, const int64_t *) { loop(n, out, in); }
#else

const bool areThere = false;

#define SPMD_BY_VECTORS(name, loop)                                                                \
  void name(int64_t, void *, const void *const *, const int64_t *) {}
#endif

SPMD_BY_VECTORS(atan2, binary<_ZGVdN4vv_atan2>)
SPMD_BY_VECTORS(cbrt, unary<_ZGVdN4v_cbrt>)
SPMD_BY_VECTORS(cos, unary<_ZGVdN4v_cos>)
SPMD_BY_VECTORS(exp, unary<_ZGVdN4v_exp>)
SPMD_BY_VECTORS(expm1, unary<_ZGVdN4v_expm1>)
SPMD_BY_VECTORS(log, unary<_ZGVdN4v_log>)
SPMD_BY_VECTORS(log1p, unary<_ZGVdN4v_log1p>)
SPMD_BY_VECTORS(logistic, unary<logisticOf>)
SPMD_BY_VECTORS(pow, binary<_ZGVdN4vv_pow>)
SPMD_BY_VECTORS(sin, unary<_ZGVdN4v_sin>)
SPMD_BY_VECTORS(tan, unary<_ZGVdN4v_tan>)
SPMD_BY_VECTORS(tanh, unary<_ZGVdN4v_tanh>)

} // namespace spmd::by_vectors
