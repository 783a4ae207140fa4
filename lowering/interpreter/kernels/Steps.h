// How the elementwise ops are written: an op is a struct with a call operator for the native types
// it accepts; the templates here make the loops and pick the one for an element type.
#pragma once

#include "spmd/lowering/interpreter/Denormals.h"
#include "spmd/lowering/interpreter/KernelRegistry.h"
#include "spmd/lowering/interpreter/StatusMacros.h"
#include "spmd/lowering/interpreter/Storage.h"
#include "spmd/lowering/interpreter/Vectorized.h"

#include <type_traits>

namespace spmd {

/// Kinds of native types, as bits.
enum : unsigned { booleans = 1, integers = 2, floats = 4, complexes = 8 };

template <typename T> constexpr unsigned kindOf() {
  return std::is_same_v<T, bool> ? booleans
         : std::is_integral_v<T> ? integers
         : isRealFloat<T>        ? floats
                                 : complexes;
}

template <typename T> inline constexpr bool isComplexType = kindOf<T>() == complexes;

/// The unsigned type in which integer arithmetic wraps: at least 32 bits, so that nothing is
/// promoted to a signed type.
template <typename T>
using Wrapping = std::conditional_t<(sizeof(T) < 4), uint32_t, std::make_unsigned_t<T>>;

/// The loop over one or two operands of type A with results of type R. An op may take the params of
/// its step as a last argument.
template <typename Op, typename R, typename A> struct UnaryLoop {
  static SPMD_INLINE void run(int64_t n, void *out, const void *const *in, const int64_t *params) {
    auto *a = static_cast<const A *>(in[0]);
    auto *r = static_cast<R *>(out);
    SPMD_INDEPENDENT
    for (int64_t i = 0; i < n; ++i) {
      if constexpr (std::is_invocable_v<Op, A, const int64_t *>)
        r[i] = Op()(a[i], params);
      else
        r[i] = Op()(a[i]);
    }
  }
};

template <typename Op, typename R, typename A> struct BinaryLoop {
  static SPMD_INLINE void run(int64_t n, void *out, const void *const *in, const int64_t *params) {
    auto *a = static_cast<const A *>(in[0]), *b = static_cast<const A *>(in[1]);
    auto *r = static_cast<R *>(out);
    SPMD_INDEPENDENT
    for (int64_t i = 0; i < n; ++i) {
      if constexpr (std::is_invocable_v<Op, A, A, const int64_t *>)
        r[i] = Op()(a[i], b[i], params);
      else
        r[i] = Op()(a[i], b[i]);
    }
  }
};

template <typename Loop>
void plainStep(int64_t n, void *out, const void *const *in, const int64_t *params) {
  Loop::run(n, out, in, params);
}

#ifdef SPMD_WIDE_TARGET
template <typename Loop>
SPMD_WIDE_TARGET void wideStep(int64_t n, void *out, const void *const *in, const int64_t *params) {
  Loop::run(n, out, in, params);
}
#endif

/// Returns the loop, compiled for this machine.
template <typename Loop> StepFunction stepOf() {
#ifdef SPMD_WIDE_TARGET
  if (hasWideVectors())
    return &wideStep<Loop>;
#endif
  return &plainStep<Loop>;
}

template <typename Op, typename R, typename A> StepFunction unaryStep() {
  return stepOf<UnaryLoop<Op, R, A>>();
}
template <typename Op, typename R, typename A> StepFunction binaryStep() {
  return stepOf<BinaryLoop<Op, R, A>>();
}

/// The loop `Zeroing` where denormals are zeros in comparisons, else `Keeping`.
template <typename Zeroing, typename Keeping>
void stepByDenormals(int64_t n, void *out, const void *const *in, const int64_t *params) {
  bool keeps = DenormalScope::current() == Denormals::keep;
  (keeps ? stepOf<Keeping>() : stepOf<Zeroing>())(n, out, in, params);
}

/// Op on operands whose denormals are zeros.
template <typename Op> struct OfZeroed {
  template <typename T> static SPMD_INLINE T zeroed(T value) {
    if constexpr (isComplexType<T>)
      return T(withoutDenormal(value.real()), withoutDenormal(value.imag()));
    else if constexpr (kindOf<T>() == floats)
      return withoutDenormal(value);
    else
      return value;
  }
  template <typename T> auto operator()(T a) const { return Op()(zeroed(a)); }
  template <typename T> auto operator()(T a, T b) const { return Op()(zeroed(a), zeroed(b)); }
};

/// Returns the loop for operands and result of type `element`, or null if Op does not accept it.
template <typename Op> StepFunction unaryFor(ElementType element) {
  return visitNative(element, [](auto tag) -> StepFunction {
    using T = typename decltype(tag)::Type;
    if constexpr ((Op::kinds & kindOf<T>()) != 0)
      return unaryStep<Op, T, T>();
    return nullptr;
  });
}

template <typename Op> StepFunction binaryFor(ElementType element) {
  return visitNative(element, [](auto tag) -> StepFunction {
    using T = typename decltype(tag)::Type;
    if constexpr ((Op::kinds & kindOf<T>()) != 0)
      return binaryStep<Op, T, T>();
    return nullptr;
  });
}

inline absl::Status expectOperands(absl::Span<const ElementType> operands, size_t count) {
  return operands.size() == count ? absl::OkStatus()
                                  : invalid("has ", operands.size(), " operands; expected ", count);
}

/// Adds an op whose operands and result have one element type. Its params are the bits of that
/// type.
template <typename PickFn>
void addUniformStep(KernelRegistry &registry, const char *op, size_t numOperands, PickFn pick) {
  registry.addStep(op,
                   [=](const Attributes &, absl::Span<const ElementType> operands,
                       ElementType result) -> absl::StatusOr<TileStep> {
                     SPMD_RETURN_IF_ERROR(expectOperands(operands, numOperands));
                     for (ElementType operand : operands)
                       if (operand != result)
                         return invalid("has operand type ", nameOf(operand), " and result type ",
                                        nameOf(result));
                     StepFunction function = pick(result);
                     if (!function)
                       return invalid("is not defined for ", nameOf(result));
                     return TileStep{function, {bitWidth(result), 0}};
                   });
}

template <typename Op> void addUnary(KernelRegistry &registry, const char *op) {
  addUniformStep(registry, op, 1, unaryFor<Op>);
}
template <typename Op> void addBinary(KernelRegistry &registry, const char *op) {
  addUniformStep(registry, op, 2, binaryFor<Op>);
}

// One function per file of ops.
void addArithmeticSteps(KernelRegistry &registry);
void addBitwiseSteps(KernelRegistry &registry);
void addCompareSteps(KernelRegistry &registry);
void addComplexSteps(KernelRegistry &registry);
void addConvertSteps(KernelRegistry &registry);
void addRandomRoundingSteps(KernelRegistry &registry);
void addRoundingSteps(KernelRegistry &registry);
void addTranscendentalSteps(KernelRegistry &registry);
/// Adds forms by vectors of ops that have been added.
void addVectorSteps(KernelRegistry &registry);

} // namespace spmd
