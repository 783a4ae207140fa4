// abs add clamp divide maximum minimum multiply negate power remainder sign square subtract.
//
// Integers wrap. Division by zero gives -1 (all bits set), remainder by zero the dividend, and the
// smallest integer divided by -1 itself. On i1, add is `or` and multiply is `and`.
#include "spmd/lowering/interpreter/kernels/ComplexFunctions.h"
#include "spmd/lowering/interpreter/kernels/FloatFunctions.h"
#include "spmd/lowering/interpreter/kernels/PatchedLoops.h"
#include "spmd/lowering/interpreter/kernels/Steps.h"

#include <cmath>
#include <limits>

namespace spmd {
namespace {

constexpr unsigned numbers = integers | floats | complexes;

template <typename T, typename Fn> T wrapped(T a, T b, Fn fn) {
  return static_cast<T>(fn(static_cast<Wrapping<T>>(a), static_cast<Wrapping<T>>(b)));
}

struct Add {
  static constexpr unsigned kinds = booleans | numbers;
  template <typename T> T operator()(T a, T b) const {
    if constexpr (kindOf<T>() == booleans)
      return a | b;
    else if constexpr (kindOf<T>() == integers)
      return wrapped(a, b, [](auto x, auto y) { return x + y; });
    else
      return a + b;
  }
};

struct Subtract {
  static constexpr unsigned kinds = numbers;
  template <typename T> T operator()(T a, T b) const {
    if constexpr (kindOf<T>() == integers)
      return wrapped(a, b, [](auto x, auto y) { return x - y; });
    else
      return a - b;
  }
};

struct Multiply {
  static constexpr unsigned kinds = booleans | numbers;
  template <typename T> T operator()(T a, T b) const {
    if constexpr (kindOf<T>() == booleans)
      return a & b;
    else if constexpr (kindOf<T>() == integers)
      return wrapped(a, b, [](auto x, auto y) { return x * y; });
    else
      return a * b;
  }
};

struct Negate {
  static constexpr unsigned kinds = numbers;
  template <typename T> T operator()(T a) const {
    if constexpr (kindOf<T>() == integers)
      return Subtract()(T(0), a);
    else
      return -a;
  }
};

struct Square {
  static constexpr unsigned kinds = booleans | numbers;
  template <typename T> T operator()(T a) const { return Multiply()(a, a); }
};

struct Divide {
  static constexpr unsigned kinds = numbers;
  template <typename T> T operator()(T a, T b) const {
    if constexpr (kindOf<T>() == integers) {
      if (b == 0)
        return static_cast<T>(-1);
      if constexpr (std::is_signed_v<T>)
        if (b == -1)
          return Negate()(a);
    }
    if constexpr (isComplexType<T>)
      return T(Computed<T>(a) / Computed<T>(b));
    else
      return a / b;
  }
};

struct Remainder {
  static constexpr unsigned kinds = integers | floats;
  template <typename T> T operator()(T a, T b) const {
    if constexpr (kindOf<T>() == floats) {
      return math::fmod(a, b);
    } else {
      if (b == 0)
        return a;
      if constexpr (std::is_signed_v<T>)
        if (b == -1)
          return 0;
      return a % b;
    }
  }
};

/// Complex numbers are ordered by real part, then by imaginary part.
template <typename T> bool isLess(T a, T b) {
  if constexpr (isComplexType<T>)
    return a.real() != b.real() ? a.real() < b.real() : a.imag() < b.imag();
  else
    return a < b;
}

template <bool wantsLess> struct Extreme {
  static constexpr unsigned kinds = booleans | numbers;
  template <typename T> T operator()(T a, T b) const {
    T pick = (wantsLess ? isLess(b, a) : isLess(a, b)) ? b : a;
    if constexpr (kindOf<T>() == floats)
      return b != b ? b : a != a ? a : pick;
    else
      return pick;
  }
};
using Maximum = Extreme<false>;
using Minimum = Extreme<true>;

struct Abs {
  static constexpr unsigned kinds = integers | floats;
  template <typename T> T operator()(T a) const {
    if constexpr (kindOf<T>() == floats)
      return math::fabs(a);
    else if constexpr (std::is_signed_v<T>)
      return a < 0 ? Negate()(a) : a;
    else
      return a;
  }
};

struct Sign {
  static constexpr unsigned kinds = numbers;
  template <typename T> T operator()(T a) const {
    if constexpr (isComplexType<T>)
      return a == T(0) ? a : a / math::abs(a);
    else if constexpr (kindOf<T>() == floats)
      return a > 0 ? T(1) : a < 0 ? T(-1) : a;
    else if constexpr (std::is_signed_v<T>)
      return static_cast<T>((a > 0) - (a < 0));
    else
      return a != 0;
  }
};

StepFunction signFor(ElementType element) {
  return visitNative(element, [](auto tag) -> StepFunction {
    using T = typename decltype(tag)::Type;
    using Keeping = UnaryLoop<Sign, T, T>;
    if constexpr ((kindOf<T>() & (floats | complexes)) != 0)
      return &stepByDenormals<UnaryLoop<OfZeroed<Sign>, T, T>, Keeping>;
    else if constexpr ((Sign::kinds & kindOf<T>()) != 0)
      return stepOf<Keeping>();
    return nullptr;
  });
}

struct Power {
  static constexpr unsigned kinds = numbers;
  template <typename T> T operator()(T base, T exponent) const {
    if constexpr (isComplexType<T>) {
      if (exponent == T(0)) // Also of 0, whose logarithm is infinite.
        return T(1);
      return T(math::pow(Computed<T>(base), Computed<T>(exponent)));
    } else if constexpr (kindOf<T>() != integers) {
      return math::pow(base, exponent);
    } else {
      if constexpr (std::is_signed_v<T>)
        if (exponent < 0) // 1 over a power, rounded towards zero.
          return base == 1 ? 1 : base == -1 ? (exponent & 1 ? -1 : 1) : base == 0 ? -1 : 0;
      T result = 1;
      for (; exponent != 0; exponent >>= 1) {
        if (exponent & 1)
          result = Multiply()(result, base);
        base = Multiply()(base, base);
      }
      return result;
    }
  }
};

/// Powers of floats are vectors where both are finite, and the base is not zero.
struct FloatPower {
  static SPMD_INLINE float ofAll(float base, float exponent) {
    return floats_by_vector::pow(base, exponent);
  }
  static SPMD_INLINE bool isRegular(float base, float exponent) {
    return floats_by_vector::isBase(base) && floats_by_vector::isFinite(exponent);
  }
  static float ofOthers(float base, float exponent) { return std::pow(base, exponent); }
};

StepFunction powerFor(ElementType element) {
  return storageOf(element).native == Native::f32 ? stepOf<PatchedBinaryLoop<FloatPower>>()
                                                  : binaryFor<Power>(element);
}

template <typename T> struct ClampLoop {
  static SPMD_INLINE void run(int64_t n, void *out, const void *const *in, const int64_t *) {
    auto *low = static_cast<const T *>(in[0]), *x = static_cast<const T *>(in[1]),
         *high = static_cast<const T *>(in[2]);
    auto *r = static_cast<T *>(out);
    SPMD_INDEPENDENT
    for (int64_t i = 0; i < n; ++i)
      r[i] = Minimum()(Maximum()(low[i], x[i]), high[i]);
  }
};

StepFunction clampFor(ElementType element) {
  return visitNative(element, [](auto tag) -> StepFunction {
    return stepOf<ClampLoop<typename decltype(tag)::Type>>();
  });
}

/// abs of a complex number is real, so it has a rule of its own.
template <typename T> struct ComplexAbs {
  T operator()(std::complex<T> a) const { return math::abs(a); }
};

absl::StatusOr<TileStep> prepareAbs(const Attributes &, absl::Span<const ElementType> operands,
                                    ElementType result) {
  SPMD_RETURN_IF_ERROR(expectOperands(operands, 1));
  if (operands[0] == ElementType::complexF32 && result == ElementType::f32)
    return TileStep{unaryStep<ComplexAbs<float>, float, std::complex<float>>()};
  if (operands[0] == ElementType::complexF64 && result == ElementType::f64)
    return TileStep{unaryStep<ComplexAbs<double>, double, std::complex<double>>()};
  if (operands[0] == ElementType::complexF128 && result == ElementType::f128)
    return TileStep{unaryStep<ComplexAbs<Float128>, Float128, std::complex<Float128>>()};
  StepFunction function = operands[0] == result ? unaryFor<Abs>(result) : nullptr;
  if (!function)
    return invalid("has operand type ", nameOf(operands[0]), " and result type ", nameOf(result));
  return TileStep{function};
}

} // namespace

void addArithmeticSteps(KernelRegistry &registry) {
  registry.addStep("abs", prepareAbs);
  addBinary<Add>(registry, "add");
  addUniformStep(registry, "clamp", 3, clampFor);
  addBinary<Divide>(registry, "divide");
  addBinary<Maximum>(registry, "maximum");
  addBinary<Minimum>(registry, "minimum");
  addBinary<Multiply>(registry, "multiply");
  addUnary<Negate>(registry, "negate");
  addUniformStep(registry, "power", 2, powerFor);
  addBinary<Remainder>(registry, "remainder");
  addUniformStep(registry, "sign", 1, signFor);
  addUnary<Square>(registry, "square");
  addBinary<Subtract>(registry, "subtract");
}

} // namespace spmd
