// Loops compiled twice: for any machine, and for vectors of 32 bytes where the machine has them.
//
// Both do the same operations on each element, one rounding each (nothing is contracted into a
// multiply-add, see CMakeLists.txt), so results do not depend on the machine.
#pragma once

#define SPMD_INLINE inline __attribute__((always_inline))
#define SPMD_INLINE_LAMBDA __attribute__((always_inline))

#if defined(__x86_64__) && defined(__clang__)
#define SPMD_WIDE_TARGET __attribute__((target("arch=x86-64-v3")))
#endif

namespace spmd {

/// Whether functions marked SPMD_WIDE_TARGET can run here.
inline bool hasWideVectors() {
#ifdef SPMD_WIDE_TARGET
  static const bool has = __builtin_cpu_supports("x86-64-v3");
  return has;
#else
  return false;
#endif
}

} // namespace spmd
