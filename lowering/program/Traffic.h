// What a program's collectives move.
#pragma once

#include "spmd/lowering/program/DeviceProgram.h"

#include <map>

namespace spmd {

/// The collectives of one kind, summed over one run of the program on one device.
struct Traffic {
  int64_t count = 0;
  int64_t operandBytes = 0;
  /// What one device sends by the bandwidth-optimal algorithm on a group of g: (g-1)/g of the
  /// result for an all-gather, (g-1)/g of the operand for a reduce-scatter or an all-to-all,
  /// 2(g-1)/g for an all-reduce, all of it for a permute, if any device sends to another.
  int64_t wireBytes = 0;
  /// Some of it is in a loop that may turn any number of times, and is counted as for one turn.
  bool hasUnknownTrips = false;
};

/// Returns the traffic by kind ("all_gather"). Calls count each time; the body of a loop counts
/// as often as it turns (`trip_count`), once where that is not known; each branch of a conditional
/// counts once. Sums past the largest integer stay at it. Linear in the instructions that run.
/// Requires verify(program).
std::map<std::string, Traffic> trafficOf(const DeviceProgram &program);

} // namespace spmd
