// compare, select and is_finite.
#include "spmd/lowering/interpreter/kernels/Steps.h"

#include <cmath>
#include <cstring>
#include <functional>

namespace spmd {
namespace {

/// Returns an integer that orders floats totally: -NaN < -inf < ... < -0 < +0 < ... < +inf < +NaN.
template <typename T> auto totalOrderKey(T value) {
  using Key = std::conditional_t<sizeof(T) == 4, int32_t,
                                 std::conditional_t<sizeof(T) == 8, int64_t, __int128>>;
  Key bits;
  std::memcpy(&bits, &value, sizeof(bits));
  return bits < 0 ? bits ^ ~(Key(1) << (8 * sizeof(T) - 1)) : bits;
}

template <typename Order> struct Plain {
  template <typename T> bool operator()(T a, T b) const { return Order()(a, b); }
};
template <typename Order> struct Total {
  template <typename T> bool operator()(T a, T b) const {
    return Order()(totalOrderKey(a), totalOrderKey(b));
  }
};

/// Returns the loop of a comparison by value.
template <typename Order, typename T> StepFunction plainFor() {
  using Keeping = BinaryLoop<Plain<Order>, bool, T>;
  if constexpr ((kindOf<T>() & (floats | complexes)) != 0)
    return &stepByDenormals<BinaryLoop<OfZeroed<Plain<Order>>, bool, T>, Keeping>;
  else
    return stepOf<Keeping>();
}

template <typename Order, bool isOrdering>
StepFunction compareFor(ElementType element, bool total) {
  return visitNative(element, [&](auto tag) -> StepFunction {
    using T = typename decltype(tag)::Type;
    if constexpr (kindOf<T>() == floats)
      return total ? binaryStep<Total<Order>, bool, T>() : plainFor<Order, T>();
    else if constexpr (!isComplexType<T> || !isOrdering)
      return plainFor<Order, T>();
    return nullptr;
  });
}

absl::StatusOr<TileStep> prepareCompare(const Attributes &attributes,
                                        absl::Span<const ElementType> operands,
                                        ElementType result) {
  SPMD_RETURN_IF_ERROR(expectOperands(operands, 2));
  if (operands[0] != operands[1] || result != ElementType::i1)
    return invalid("compares ", nameOf(operands[0]), " with ", nameOf(operands[1]), " to ",
                   nameOf(result));
  SPMD_ASSIGN_OR_RETURN(std::string direction, attributes.get<std::string>("comparison_direction"));
  SPMD_ASSIGN_OR_RETURN(std::string type, attributes.getOr<std::string>("compare_type", ""));
  bool total = type == "TOTALORDER";
  StepFunction function = nullptr;
  if (direction == "EQ")
    function = compareFor<std::equal_to<>, false>(operands[0], total);
  else if (direction == "NE")
    function = compareFor<std::not_equal_to<>, false>(operands[0], total);
  else if (direction == "LT")
    function = compareFor<std::less<>, true>(operands[0], total);
  else if (direction == "LE")
    function = compareFor<std::less_equal<>, true>(operands[0], total);
  else if (direction == "GT")
    function = compareFor<std::greater<>, true>(operands[0], total);
  else if (direction == "GE")
    function = compareFor<std::greater_equal<>, true>(operands[0], total);
  if (!function)
    return invalid("has comparison_direction \"", direction, "\" on ", nameOf(operands[0]));
  return TileStep{function};
}

template <typename T> struct SelectLoop {
  static SPMD_INLINE void run(int64_t n, void *out, const void *const *in, const int64_t *) {
    auto *predicate = static_cast<const uint8_t *>(in[0]);
    auto *a = static_cast<const T *>(in[1]), *b = static_cast<const T *>(in[2]);
    auto *r = static_cast<T *>(out);
    SPMD_INDEPENDENT
    for (int64_t i = 0; i < n; ++i) {
      T yes = a[i], no = b[i]; // Both are read, so that the choice is no jump.
      r[i] = predicate[i] != 0 ? yes : no;
    }
  }
};

absl::StatusOr<TileStep> prepareSelect(const Attributes &, absl::Span<const ElementType> operands,
                                       ElementType result) {
  SPMD_RETURN_IF_ERROR(expectOperands(operands, 3));
  if (operands[0] != ElementType::i1 || operands[1] != result || operands[2] != result)
    return invalid("selects by ", nameOf(operands[0]), " from ", nameOf(operands[1]), " and ",
                   nameOf(operands[2]), " to ", nameOf(result));
  return TileStep{visitNative(result, [](auto tag) -> StepFunction {
    return stepOf<SelectLoop<typename decltype(tag)::Type>>();
  })};
}

struct IsFinite {
  template <typename T> bool operator()(T a) const { return math::isfinite(a); }
};

absl::StatusOr<TileStep> prepareIsFinite(const Attributes &, absl::Span<const ElementType> operands,
                                         ElementType result) {
  SPMD_RETURN_IF_ERROR(expectOperands(operands, 1));
  if (!isFloat(operands[0]) || result != ElementType::i1)
    return invalid("takes ", nameOf(operands[0]), " to ", nameOf(result));
  return TileStep{visitNative(operands[0], [](auto tag) -> StepFunction {
    using T = typename decltype(tag)::Type;
    if constexpr (kindOf<T>() == floats)
      return unaryStep<IsFinite, bool, T>();
    return nullptr;
  })};
}

} // namespace

void addCompareSteps(KernelRegistry &registry) {
  registry.addStep("compare", prepareCompare);
  registry.addStep("select", prepareSelect);
  registry.addStep("is_finite", prepareIsFinite);
}

} // namespace spmd
