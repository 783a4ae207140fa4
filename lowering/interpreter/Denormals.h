// What numbers that lie too close to zero for a whole mantissa are taken for.
#pragma once

#include "spmd/lowering/interpreter/Float128.h"

#include <cstdint>
#include <limits>

namespace spmd {

/// Concerns f32 and f64, and bf16, which is computed as f32; denormals of other types (f16, f8) are
/// ordinary numbers in f32. Moves and ops on bits keep denormals always. Why this default:
/// docs/rationale/denormals.md.
enum class Denormals {
  /// Zeros of their sign where a number is compared with another (compare but for TOTALORDER, sort
  /// by such, sign, convert to i1), so that a program decides as on a processor that flushes; else
  /// numbers as any other.
  zeroInComparisons,
  /// Numbers as any other, as IEEE 754 has it.
  keep,
  /// Zeros of their sign wherever they are operands or results of arithmetic, as XLA's on CPUs, and
  /// in comparisons. Functions are then only as precise near zero. On processors other than x86-64
  /// and 64-bit ARM as `zeroInComparisons`.
  flush
};

/// While it lives, the thread that made it takes denormals so.
class DenormalScope {
public:
  explicit DenormalScope(Denormals denormals);
  ~DenormalScope();
  DenormalScope(const DenormalScope &) = delete;
  DenormalScope &operator=(const DenormalScope &) = delete;

  /// Returns how this thread takes them now; outside of any scope, `zeroInComparisons`.
  static Denormals current();

private:
  Denormals before;
  uint64_t controlsBefore; // The control register of the floating point unit.
};

/// Returns a zero of the same sign for a denormal, and any other value as it is.
template <typename T> inline T withoutDenormal(T value) {
  return math::abs(value) < std::numeric_limits<T>::min() ? math::copysign(T(0), value) : value;
}

} // namespace spmd
