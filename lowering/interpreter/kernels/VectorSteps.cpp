// Functions of f64 by the vectors of glibc's libmvec, for instructions with the attribute
// `by_vectors`.
//
// Results are off by up to 4 ulps (glibc's manual, "Known Maximum Errors in Math Functions"), and
// may differ from machine to machine. Wide programs (Widen.h) bear that. The result of an element
// depends on nothing but its arguments: what is left of a vector is filled up, not computed
// otherwise. Where there is no libmvec or no wide vectors, the ordinary functions do the work.
#include "spmd/lowering/interpreter/kernels/Steps.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#if defined(SPMD_WIDE_TARGET) && defined(__GLIBC__)
#if __GLIBC_PREREQ(2, 35)
#define SPMD_HAS_LIBMVEC
#endif
#endif

namespace spmd {

#ifdef SPMD_HAS_LIBMVEC

namespace {

constexpr int vectorElements = 4;
using Vector = double __attribute__((vector_size(vectorElements * sizeof(double))));

extern "C" {
SPMD_WIDE_TARGET Vector _ZGVdN4v_cbrt(Vector);
SPMD_WIDE_TARGET Vector _ZGVdN4v_cos(Vector);
SPMD_WIDE_TARGET Vector _ZGVdN4v_exp(Vector);
SPMD_WIDE_TARGET Vector _ZGVdN4v_expm1(Vector);
SPMD_WIDE_TARGET Vector _ZGVdN4v_log(Vector);
SPMD_WIDE_TARGET Vector _ZGVdN4v_log1p(Vector);
SPMD_WIDE_TARGET Vector _ZGVdN4v_sin(Vector);
SPMD_WIDE_TARGET Vector _ZGVdN4v_tan(Vector);
SPMD_WIDE_TARGET Vector _ZGVdN4v_tanh(Vector);
SPMD_WIDE_TARGET Vector _ZGVdN4vv_atan2(Vector, Vector);
SPMD_WIDE_TARGET Vector _ZGVdN4vv_pow(Vector, Vector);
}

SPMD_WIDE_TARGET Vector logistic(Vector x) { return 1 / (1 + _ZGVdN4v_exp(-x)); }

/// Returns `count` elements as a vector, and the first again where those are fewer than it has.
SPMD_WIDE_TARGET inline Vector loaded(const double *from, int64_t count) {
  Vector vector;
  if (count == vectorElements) {
    std::memcpy(&vector, from, sizeof(vector));
    return vector;
  }
  for (int i = 0; i < vectorElements; ++i)
    vector[i] = from[i < count ? i : 0];
  return vector;
}

SPMD_WIDE_TARGET inline void store(Vector vector, double *to, int64_t count) {
  if (count == vectorElements)
    std::memcpy(to, &vector, sizeof(vector));
  else
    for (int64_t i = 0; i < count; ++i)
      to[i] = vector[i];
}

template <Vector (*function)(Vector)>
SPMD_WIDE_TARGET void unaryByVectors(int64_t n, void *out, const void *const *in, const int64_t *) {
  auto *a = static_cast<const double *>(in[0]);
  auto *r = static_cast<double *>(out);
  for (int64_t i = 0; i < n; i += vectorElements) {
    int64_t count = std::min<int64_t>(vectorElements, n - i);
    store(function(loaded(a + i, count)), r + i, count);
  }
}

template <Vector (*function)(Vector, Vector)>
SPMD_WIDE_TARGET void binaryByVectors(int64_t n, void *out, const void *const *in,
                                      const int64_t *) {
  auto *a = static_cast<const double *>(in[0]), *b = static_cast<const double *>(in[1]);
  auto *r = static_cast<double *>(out);
  for (int64_t i = 0; i < n; i += vectorElements) {
    int64_t count = std::min<int64_t>(vectorElements, n - i);
    store(function(loaded(a + i, count), loaded(b + i, count)), r + i, count);
  }
}

/// Lets instructions of `op` that ask for vectors have `byVectors`, and others what they had.
void addForm(KernelRegistry &registry, const char *op, StepFunction byVectors) {
  StepFactory ordinary = *registry.findStep(op);
  registry.addStep(op,
                   [=](const Attributes &attributes, absl::Span<const ElementType> operands,
                       ElementType result) -> absl::StatusOr<TileStep> {
                     SPMD_ASSIGN_OR_RETURN(TileStep step, ordinary(attributes, operands, result));
                     if (result == ElementType::f64 && attributes.contains("by_vectors"))
                       step.function = byVectors;
                     return step;
                   });
}

} // namespace

void addVectorSteps(KernelRegistry &registry) {
  if (!hasWideVectors())
    return;
  addForm(registry, "atan2", binaryByVectors<_ZGVdN4vv_atan2>);
  addForm(registry, "cbrt", unaryByVectors<_ZGVdN4v_cbrt>);
  addForm(registry, "cosine", unaryByVectors<_ZGVdN4v_cos>);
  addForm(registry, "exponential", unaryByVectors<_ZGVdN4v_exp>);
  addForm(registry, "exponential_minus_one", unaryByVectors<_ZGVdN4v_expm1>);
  addForm(registry, "log", unaryByVectors<_ZGVdN4v_log>);
  addForm(registry, "log_plus_one", unaryByVectors<_ZGVdN4v_log1p>);
  addForm(registry, "logistic", unaryByVectors<logistic>);
  addForm(registry, "power", binaryByVectors<_ZGVdN4vv_pow>);
  addForm(registry, "sine", unaryByVectors<_ZGVdN4v_sin>);
  addForm(registry, "tan", unaryByVectors<_ZGVdN4v_tan>);
  addForm(registry, "tanh", unaryByVectors<_ZGVdN4v_tanh>);
}

#else

void addVectorSteps(KernelRegistry &) {}

#endif

} // namespace spmd
