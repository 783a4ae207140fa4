// and or xor not, shifts, popcnt, count_leading_zeros.
//
// The first param of a step is the width in bits. Shifting by the width or more, or by a negative
// amount, gives 0, or all sign bits for an arithmetic shift.
#include "spmd/lowering/interpreter/kernels/Steps.h"

namespace spmd {
namespace {

constexpr unsigned bits = booleans | integers;

struct And {
  static constexpr unsigned kinds = bits;
  template <typename T> T operator()(T a, T b) const { return a & b; }
};
struct Or {
  static constexpr unsigned kinds = bits;
  template <typename T> T operator()(T a, T b) const { return a | b; }
};
struct Xor {
  static constexpr unsigned kinds = bits;
  template <typename T> T operator()(T a, T b) const { return a ^ b; }
};
struct Not {
  static constexpr unsigned kinds = bits;
  template <typename T> T operator()(T a) const {
    if constexpr (kindOf<T>() == booleans)
      return !a;
    else
      return ~a;
  }
};

/// Returns how many bits an element has; only one held in a byte may have fewer than its type.
template <typename T> int64_t widthOf(const int64_t *params) {
  return sizeof(T) > 1 ? 8 * static_cast<int64_t>(sizeof(T)) : params[0];
}

/// Returns the bits of `a`, those past the width cleared.
template <typename T> auto codeOf(T a, const int64_t *params) {
  if constexpr (sizeof(T) > 1)
    return static_cast<std::make_unsigned_t<T>>(a);
  else
    return static_cast<uint32_t>(static_cast<uint8_t>(a)) & (0xffu >> (8 - params[0]));
}

/// Returns whether `amount` shifts out everything.
template <typename T> bool isPastWidth(T amount, const int64_t *params) {
  using Unsigned = std::make_unsigned_t<T>;
  return static_cast<Unsigned>(amount) >= static_cast<Unsigned>(widthOf<T>(params));
}

struct ShiftLeft {
  static constexpr unsigned kinds = integers;
  template <typename T> T operator()(T a, T amount, const int64_t *params) const {
    return isPastWidth(amount, params) ? 0 : static_cast<T>(codeOf(a, params) << amount);
  }
};
struct ShiftRightLogical {
  static constexpr unsigned kinds = integers;
  template <typename T> T operator()(T a, T amount, const int64_t *params) const {
    return isPastWidth(amount, params) ? 0 : static_cast<T>(codeOf(a, params) >> amount);
  }
};
struct ShiftRightArithmetic {
  static constexpr unsigned kinds = integers;
  template <typename T> T operator()(T a, T amount, const int64_t *params) const {
    constexpr T last = 8 * static_cast<int>(sizeof(T)) - 1;
    // What is held in a byte fills it with its sign, but for unsigned elements of a few bits.
    int spare = static_cast<int>(8 * sizeof(T) - widthOf<T>(params));
    auto extended = static_cast<std::make_signed_t<T>>(static_cast<Wrapping<T>>(a) << spare);
    return static_cast<T>((extended >> spare) >> (isPastWidth(amount, params) ? last : amount));
  }
};

struct Popcnt {
  static constexpr unsigned kinds = integers;
  template <typename T> T operator()(T a, const int64_t *params) const {
    return static_cast<T>(__builtin_popcountll(codeOf(a, params)));
  }
};
struct CountLeadingZeros {
  static constexpr unsigned kinds = integers;
  template <typename T> T operator()(T a, const int64_t *params) const {
    uint64_t code = codeOf(a, params);
    return static_cast<T>(code == 0 ? params[0] : __builtin_clzll(code) - (64 - params[0]));
  }
};

} // namespace

void addBitwiseSteps(KernelRegistry &registry) {
  addBinary<And>(registry, "and");
  addBinary<Or>(registry, "or");
  addBinary<Xor>(registry, "xor");
  addUnary<Not>(registry, "not");
  addBinary<ShiftLeft>(registry, "shift_left");
  addBinary<ShiftRightLogical>(registry, "shift_right_logical");
  addBinary<ShiftRightArithmetic>(registry, "shift_right_arithmetic");
  addUnary<Popcnt>(registry, "popcnt");
  addUnary<CountLeadingZeros>(registry, "count_leading_zeros");
}

} // namespace spmd
