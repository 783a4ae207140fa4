// When the ops of a program run: one stream computes, one communicates.
//
// Each stream runs one op at a time: of those whose producers are done, the first in program order.
// A collective is hidden behind work that runs meanwhile; it is exposed while nothing computes:
//
//     compute    [ a ][ b    ].....[ c ]
//     network         [ gather      ]         c reads what is gathered; 5 units are exposed
//
// Loops, branches and calls that are not inlined occupy both streams. They start when all earlier
// ops are done, and later ops start behind them.
#pragma once

#include "spmd/ir/cost/CostProgram.h"
#include "spmd/ir/cost/DeviceProfile.h"

namespace spmd {

struct CollectiveTimes {
  Picoseconds time = 0, exposed = 0; ///< In all runs.
};

struct ProgramTimes {
  Picoseconds total = 0;   ///< `compute` and `exposed` together.
  Picoseconds compute = 0; ///< Of the compute stream, without what it waits.
  Picoseconds communication = 0;
  Picoseconds exposed = 0;                  ///< Communication that nothing is computed beside.
  Picoseconds products = 0;                 ///< What the products take at the device's peaks.
  double flops = 0;                         ///< Of the products.
  int64_t memoryBytes = 0;                  ///< Read and written by compute ops.
  std::vector<CollectiveTimes> collectives; ///< By number.
};

/// Returns the times of one run of `program` on a device with `profile`. Takes n log n.
ProgramTimes scheduleProgram(const CostProgram &program, const DeviceProfile &profile);

} // namespace spmd
