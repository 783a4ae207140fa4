// The functions of analysis: cbrt, exp and log and their shifted forms, logistic, roots,
// trigonometry. Those of complex numbers are computed in double or a wider type, those of float by
// vectors.
#include "spmd/lowering/interpreter/kernels/ComplexFunctions.h"
#include "spmd/lowering/interpreter/kernels/FloatFunctions.h"
#include "spmd/lowering/interpreter/kernels/PatchedLoops.h"
#include "spmd/lowering/interpreter/kernels/Steps.h"

#include <cmath>

namespace spmd {
namespace {

/// Applies `ofFloat` and `ofReal` to real numbers, and `ofComplex`, which works in double or
/// a wider type, to complex ones.
#define SPMD_FUNCTION(Name, ofFloat, ofReal, ofComplex)                                            \
  struct Name {                                                                                    \
    static constexpr unsigned kinds = floats | complexes;                                          \
    template <typename T> T operator()(T a) const {                                                \
      if constexpr (isComplexType<T>)                                                              \
        return T(ofComplex(Computed<T>(a)));                                                       \
      else if constexpr (std::is_same_v<T, float>)                                                 \
        return ofFloat(a);                                                                         \
      else                                                                                         \
        return ofReal(a);                                                                          \
    }                                                                                              \
  };

template <typename T> T realLogistic(T a) { return T(1) / (T(1) + math::exp(-a)); }
template <typename T> T reciprocalRoot(T a) { return T(1) / math::sqrt(a); }

SPMD_FUNCTION(ExponentialMinusOne, floats_by_vector::expm1, math::expm1, complexExpm1)
SPMD_FUNCTION(LogPlusOne, floats_by_vector::log1p, math::log1p, complexLog1p)
SPMD_FUNCTION(Cosine, math::cos, math::cos, math::cos)
SPMD_FUNCTION(Exponential, floats_by_vector::exp, math::exp, complexExp)
SPMD_FUNCTION(Log, floats_by_vector::log, math::log, math::log)
SPMD_FUNCTION(Rsqrt, reciprocalRoot, reciprocalRoot, reciprocalRoot)
SPMD_FUNCTION(Sine, math::sin, math::sin, math::sin)
SPMD_FUNCTION(Sqrt, math::sqrt, math::sqrt, math::sqrt)
SPMD_FUNCTION(Tan, math::tan, math::tan, math::tan)
SPMD_FUNCTION(Tanh, floats_by_vector::tanh, math::tanh, math::tanh)
SPMD_FUNCTION(Logistic, floats_by_vector::logistic, realLogistic, complexLogistic)

#undef SPMD_FUNCTION

/// Sine and cosine of floats are vectors up to some size of the angle.
struct FloatSine {
  static SPMD_INLINE float ofAll(float x) { return floats_by_vector::sin(x); }
  static SPMD_INLINE bool isRegular(float x) { return floats_by_vector::isAngle(x); }
  static float ofOthers(float x) { return std::sin(x); }
};
struct FloatCosine {
  static SPMD_INLINE float ofAll(float x) { return floats_by_vector::cos(x); }
  static SPMD_INLINE bool isRegular(float x) { return floats_by_vector::isAngle(x); }
  static float ofOthers(float x) { return std::cos(x); }
};

template <typename Op, typename FloatOp>
void addAngleStep(KernelRegistry &registry, const char *op) {
  addUniformStep(registry, op, 1, [](ElementType element) {
    return storageOf(element).native == Native::f32 ? stepOf<PatchedUnaryLoop<FloatOp>>()
                                                    : unaryFor<Op>(element);
  });
}

struct Cbrt {
  static constexpr unsigned kinds = floats | complexes;
  template <typename T> T operator()(T a) const {
    if constexpr (isComplexType<T>)
      return T(complexCbrt(Computed<T>(a)));
    else
      return math::cbrt(a);
  }
};
struct Atan2 {
  static constexpr unsigned kinds = floats | complexes;
  template <typename T> T operator()(T a, T b) const {
    if constexpr (isComplexType<T>)
      return T(complexAtan2(Computed<T>(a), Computed<T>(b)));
    else
      return math::atan2(a, b);
  }
};

} // namespace

void addTranscendentalSteps(KernelRegistry &registry) {
  addBinary<Atan2>(registry, "atan2");
  addUnary<ExponentialMinusOne>(registry, "exponential_minus_one");
  addUnary<LogPlusOne>(registry, "log_plus_one");
  addUnary<Cbrt>(registry, "cbrt");
  addAngleStep<Cosine, FloatCosine>(registry, "cosine");
  addUnary<Exponential>(registry, "exponential");
  addUnary<Log>(registry, "log");
  addUnary<Rsqrt>(registry, "rsqrt");
  addAngleStep<Sine, FloatSine>(registry, "sine");
  addUnary<Sqrt>(registry, "sqrt");
  addUnary<Tan>(registry, "tan");
  addUnary<Tanh>(registry, "tanh");
  addUnary<Logistic>(registry, "logistic");
}

} // namespace spmd
