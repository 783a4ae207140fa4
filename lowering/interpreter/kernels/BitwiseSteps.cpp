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

/// Returns the bits of `a`, those past the width cleared.
template <typename T> uint64_t codeOf(T a, const int64_t *params) {
  return static_cast<uint64_t>(a) & (~uint64_t{0} >> (64 - params[0]));
}

/// Returns whether `amount` shifts out everything.
template <typename T> bool isPastWidth(T amount, const int64_t *params) {
  return static_cast<uint64_t>(amount) >= static_cast<uint64_t>(params[0]);
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
    int64_t spare = 64 - params[0];
    int64_t extended = static_cast<int64_t>(codeOf(a, params) << spare) >> spare;
    return static_cast<T>(extended >>
                          (isPastWidth(amount, params) ? 63 : static_cast<int>(amount)));
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
