// The functions of analysis: cbrt, exp and log and their shifted forms, logistic, roots,
// trigonometry. Those of complex numbers are computed in double.
#include "spmd/lowering/interpreter/kernels/ComplexFunctions.h"
#include "spmd/lowering/interpreter/kernels/Steps.h"

#include <cmath>

namespace spmd {
namespace {

/// Applies `ofReal` to real numbers, and `ofComplex`, which works in double, to complex ones.
#define SPMD_FUNCTION(Name, ofReal, ofComplex)                                                     \
  struct Name {                                                                                    \
    static constexpr unsigned kinds = floats | complexes;                                          \
    template <typename T> T operator()(T a) const {                                                \
      if constexpr (isComplexType<T>)                                                              \
        return T(ofComplex(std::complex<double>(a)));                                              \
      else                                                                                         \
        return ofReal(a);                                                                          \
    }                                                                                              \
  };

template <typename T> T realLogistic(T a) { return T(1) / (T(1) + std::exp(-a)); }
template <typename T> T reciprocalRoot(T a) { return T(1) / std::sqrt(a); }

SPMD_FUNCTION(ExponentialMinusOne, std::expm1, complexExpm1)
SPMD_FUNCTION(LogPlusOne, std::log1p, complexLog1p)
SPMD_FUNCTION(Cosine, std::cos, std::cos)
SPMD_FUNCTION(Exponential, std::exp, complexExp)
SPMD_FUNCTION(Log, std::log, std::log)
SPMD_FUNCTION(Rsqrt, reciprocalRoot, reciprocalRoot)
SPMD_FUNCTION(Sine, std::sin, std::sin)
SPMD_FUNCTION(Sqrt, std::sqrt, std::sqrt)
SPMD_FUNCTION(Tan, std::tan, std::tan)
SPMD_FUNCTION(Tanh, std::tanh, std::tanh)
SPMD_FUNCTION(Logistic, realLogistic, complexLogistic)

#undef SPMD_FUNCTION

struct Cbrt {
  static constexpr unsigned kinds = floats;
  template <typename T> T operator()(T a) const { return std::cbrt(a); }
};
struct Atan2 {
  static constexpr unsigned kinds = floats | complexes;
  template <typename T> T operator()(T a, T b) const {
    if constexpr (isComplexType<T>)
      return T(complexAtan2(std::complex<double>(a), std::complex<double>(b)));
    else
      return std::atan2(a, b);
  }
};

} // namespace

void addTranscendentalSteps(KernelRegistry &registry) {
  addBinary<Atan2>(registry, "atan2");
  addUnary<ExponentialMinusOne>(registry, "exponential_minus_one");
  addUnary<LogPlusOne>(registry, "log_plus_one");
  addUnary<Cbrt>(registry, "cbrt");
  addUnary<Cosine>(registry, "cosine");
  addUnary<Exponential>(registry, "exponential");
  addUnary<Log>(registry, "log");
  addUnary<Rsqrt>(registry, "rsqrt");
  addUnary<Sine>(registry, "sine");
  addUnary<Sqrt>(registry, "sqrt");
  addUnary<Tan>(registry, "tan");
  addUnary<Tanh>(registry, "tanh");
  addUnary<Logistic>(registry, "logistic");
}

} // namespace spmd
