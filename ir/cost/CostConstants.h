// The constants of the cost model that are no property of a device.
#pragma once

#include <cstdint>

namespace spmd {

/// All times are integers of this unit, so that sums do not depend on their order. 2^63 of them are
/// 106 days.
using Picoseconds = int64_t;
inline constexpr double picosecondsPerSecond = 1e12;

/// A fused multiply-add counts as two operations, as data sheets count it. A product of complex
/// numbers takes four real products and as many additions; an elementwise op on complex numbers
/// takes one operation for each part.
inline constexpr double complexProductWork = 4;
inline constexpr double complexElementWork = 2;

/// A called function is written out at the call, as XLA does, so that its collectives overlap with
/// work of the caller. Larger functions are scheduled alone: a chain of functions that each call
/// the next one twice would grow exponentially.
inline constexpr int64_t mostInlinedOps = 20000;

} // namespace spmd
