// convert: between any two element types, and reduce_precision.
//
// A float becomes the nearest number, ties to even, rounded once; to an integer it is truncated and
// saturated, NaN gives 0. Integers keep their low bits. To i1: whether it differs from zero.
#include "spmd/lowering/interpreter/SmallFloat.h"
#include "spmd/lowering/interpreter/kernels/Steps.h"

#include <cmath>
#include <limits>

namespace spmd {
namespace {

/// Converts with params: the bits of the result's type, and its number where that is a small float.
template <typename To> struct Convert {
  template <typename From> To operator()(From value, const int64_t *params) const {
    if constexpr (isComplexType<From> && isComplexType<To>)
      return To(static_cast<typename To::value_type>(value.real()),
                static_cast<typename To::value_type>(value.imag()));
    else if constexpr (isComplexType<From>)
      return (*this)(value.real(), params);
    else if constexpr (isComplexType<To>)
      return To(static_cast<typename To::value_type>(value));
    else if constexpr (kindOf<To>() == booleans)
      return value != From(0);
    else if constexpr (kindOf<To>() == integers && kindOf<From>() == floats)
      return saturated(value, params[0]);
    else
      return static_cast<To>(value);
  }

private:
  template <typename From> static To saturated(From value, int64_t width) {
    // Powers of two, exact in any float type.
    From half = static_cast<From>(uint64_t{1} << (width - 1));
    From end = std::is_signed_v<To> ? half : 2 * half;
    From begin = std::is_signed_v<To> ? -end : From(0);
    if (value != value)
      return 0;
    if (value >= end)
      return static_cast<To>(std::numeric_limits<To>::max() >> (8 * sizeof(To) - width));
    if (value <= begin)
      return static_cast<To>(
          std::is_signed_v<To> ? std::numeric_limits<To>::min() >> (8 * sizeof(To) - width) : 0);
    return static_cast<To>(value);
  }
};

/// To i1.
struct IsNotZero {
  template <typename T> bool operator()(T value) const {
    if constexpr (isComplexType<T>)
      return value.real() != 0;
    else
      return value != T(0);
  }
};

/// To a small float from a type with more bits than float: rounded from double at once.
struct ConvertToSmall {
  template <typename From> float operator()(From value, const int64_t *params) const {
    const FloatFormat &format = formatOf(static_cast<ElementType>(params[1]));
    return static_cast<float>(decode(format, encode(format, static_cast<double>(value))));
  }
};

absl::StatusOr<TileStep> prepareConvert(const Attributes &, absl::Span<const ElementType> operands,
                                        ElementType result) {
  SPMD_RETURN_IF_ERROR(expectOperands(operands, 1));
  TileStep step;
  step.params[0] = bitWidth(result);
  step.params[1] = static_cast<int64_t>(result);
  step.function = visitNative(operands[0], [&](auto from) {
    using From = typename decltype(from)::Type;
    if constexpr (!isComplexType<From> &&
                  (sizeof(From) > 4 || (kindOf<From>() == integers && sizeof(From) == 4)))
      if (isSmallFloat(result))
        return StepFunction(unaryStep<ConvertToSmall, float, From>());
    return visitNative(result, [](auto to) {
      using To = typename decltype(to)::Type;
      if constexpr (kindOf<To>() == booleans && (kindOf<From>() & (floats | complexes)) != 0)
        return StepFunction(&stepByDenormals<UnaryLoop<OfZeroed<IsNotZero>, bool, From>,
                                             UnaryLoop<IsNotZero, bool, From>>);
      else
        return StepFunction(unaryStep<Convert<To>, To, From>());
    });
  });
  return step;
}

/// Rounds to params[0] exponent bits and params[1] mantissa bits. Follows StableHLO: subnormals of
/// the narrow format become zero, overflow infinity; without mantissa bits there is no NaN, but
/// infinity.
struct ReducePrecision {
  static constexpr unsigned kinds = floats;
  template <typename T> T operator()(T value, const int64_t *params) const {
    if (value != value && params[1] == 0)
      return math::copysign(std::numeric_limits<T>::infinity(), value);
    if (value != value || math::isinf(value) || value == 0)
      return value;
    int exponent = 0;
    math::frexp(value, &exponent); // value = f * 2^exponent, f in 0.5 .. 1.
    int bias = static_cast<int>((int64_t{1} << (params[0] - 1)) - 1);
    int scale = exponent - 1 - static_cast<int>(params[1]);
    T scaled = math::ldexp(value, -scale), units = math::nearbyint(scaled);
    // Without mantissa bits the last one kept is the exponent's: odd at 1, as the bias is.
    if (params[1] == 0 && math::abs(scaled) == T(1.5) && scale % 2 != 0)
      units = math::copysign(T(1), value);
    T rounded = math::ldexp(units, scale);
    math::frexp(rounded, &exponent);
    if (exponent - 1 > bias)
      return math::copysign(std::numeric_limits<T>::infinity(), value);
    return exponent - 1 < 1 - bias ? math::copysign(T(0), value) : rounded;
  }
};

absl::StatusOr<TileStep> prepareReducePrecision(const Attributes &attributes,
                                                absl::Span<const ElementType> operands,
                                                ElementType result) {
  SPMD_RETURN_IF_ERROR(expectOperands(operands, 1));
  SPMD_ASSIGN_OR_RETURN(int64_t exponentBits, attributes.get<int64_t>("exponent_bits"));
  SPMD_ASSIGN_OR_RETURN(int64_t mantissaBits, attributes.get<int64_t>("mantissa_bits"));
  if (!isFloat(result) || operands[0] != result)
    return invalid("takes ", nameOf(operands[0]), " to ", nameOf(result));
  if (exponentBits < 1 || exponentBits > 11 || mantissaBits < 0 || mantissaBits > 52)
    return invalid("has exponent_bits ", exponentBits, " and mantissa_bits ", mantissaBits);
  return TileStep{unaryFor<ReducePrecision>(result), {exponentBits, mantissaBits}};
}

} // namespace

void addConvertSteps(KernelRegistry &registry) {
  registry.addStep("convert", prepareConvert);
  registry.addStep("reduce_precision", prepareReducePrecision);
}

} // namespace spmd
