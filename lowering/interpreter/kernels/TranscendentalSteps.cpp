// The functions of analysis: cbrt, exp and log and their shifted forms, logistic, roots,
// trigonometry.
#include "spmd/lowering/interpreter/kernels/Steps.h"

#include <cmath>

namespace spmd {
namespace {

struct Atan2 {
  static constexpr unsigned kinds = floats;
  template <typename T> T operator()(T a, T b) const { return std::atan2(a, b); }
};
struct ExponentialMinusOne {
  static constexpr unsigned kinds = floats | complexes;
  template <typename T> T operator()(T a) const {
    if constexpr (isComplexType<T>)
      return std::exp(a) - T(1);
    else
      return std::expm1(a);
  }
};
struct LogPlusOne {
  static constexpr unsigned kinds = floats | complexes;
  template <typename T> T operator()(T a) const {
    if constexpr (isComplexType<T>)
      return std::log(a + T(1));
    else
      return std::log1p(a);
  }
};
struct Cbrt {
  static constexpr unsigned kinds = floats;
  template <typename T> T operator()(T a) const { return std::cbrt(a); }
};
struct Cosine {
  static constexpr unsigned kinds = floats | complexes;
  template <typename T> T operator()(T a) const { return std::cos(a); }
};
struct Exponential {
  static constexpr unsigned kinds = floats | complexes;
  template <typename T> T operator()(T a) const { return std::exp(a); }
};
struct Log {
  static constexpr unsigned kinds = floats | complexes;
  template <typename T> T operator()(T a) const { return std::log(a); }
};
struct Rsqrt {
  static constexpr unsigned kinds = floats | complexes;
  template <typename T> T operator()(T a) const { return T(1) / std::sqrt(a); }
};
struct Sine {
  static constexpr unsigned kinds = floats | complexes;
  template <typename T> T operator()(T a) const { return std::sin(a); }
};
struct Sqrt {
  static constexpr unsigned kinds = floats | complexes;
  template <typename T> T operator()(T a) const { return std::sqrt(a); }
};
struct Tan {
  static constexpr unsigned kinds = floats | complexes;
  template <typename T> T operator()(T a) const { return std::tan(a); }
};
struct Tanh {
  static constexpr unsigned kinds = floats | complexes;
  template <typename T> T operator()(T a) const { return std::tanh(a); }
};
struct Logistic {
  static constexpr unsigned kinds = floats | complexes;
  template <typename T> T operator()(T a) const { return T(1) / (T(1) + std::exp(-a)); }
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
