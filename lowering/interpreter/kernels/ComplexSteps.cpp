// real, imag and complex. On a real operand, real is the identity and imag is zero.
#include "spmd/lowering/interpreter/kernels/Steps.h"

namespace spmd {
namespace {

struct Real {
  template <typename T> T operator()(T a) const { return a; }
  template <typename T> T operator()(std::complex<T> a) const { return a.real(); }
};
struct Imag {
  template <typename T> T operator()(T a) const { return T(0); }
  template <typename T> T operator()(std::complex<T> a) const { return a.imag(); }
};
struct Complex {
  template <typename T> std::complex<T> operator()(T a, T b) const { return {a, b}; }
};

ElementType partOf(ElementType element) {
  return element == ElementType::complexF32    ? ElementType::f32
         : element == ElementType::complexF64  ? ElementType::f64
         : element == ElementType::complexF128 ? ElementType::f128
                                               : element;
}

template <typename Op>
absl::StatusOr<TileStep> preparePart(const Attributes &, absl::Span<const ElementType> operands,
                                     ElementType result) {
  SPMD_RETURN_IF_ERROR(expectOperands(operands, 1));
  if (isInteger(result) || partOf(operands[0]) != result)
    return invalid("takes ", nameOf(operands[0]), " to ", nameOf(result));
  bool isPair = isComplex(operands[0]);
  return TileStep{visitNative(result, [&](auto tag) -> StepFunction {
    using T = typename decltype(tag)::Type;
    if constexpr (kindOf<T>() == floats)
      return isPair ? unaryStep<Op, T, std::complex<T>>() : unaryStep<Op, T, T>();
    return nullptr;
  })};
}

absl::StatusOr<TileStep> prepareComplex(const Attributes &, absl::Span<const ElementType> operands,
                                        ElementType result) {
  SPMD_RETURN_IF_ERROR(expectOperands(operands, 2));
  if (!isComplex(result) || operands[0] != partOf(result) || operands[1] != partOf(result))
    return invalid("makes ", nameOf(result), " of ", nameOf(operands[0]), " and ",
                   nameOf(operands[1]));
  return TileStep{visitNative(operands[0], [](auto tag) -> StepFunction {
    using T = typename decltype(tag)::Type;
    if constexpr (kindOf<T>() == floats)
      return binaryStep<Complex, std::complex<T>, T>();
    return nullptr;
  })};
}

} // namespace

void addComplexSteps(KernelRegistry &registry) {
  registry.addStep("real", preparePart<Real>);
  registry.addStep("imag", preparePart<Imag>);
  registry.addStep("complex", prepareComplex);
}

} // namespace spmd
