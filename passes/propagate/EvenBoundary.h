// What Shardy leaves of the shardings of arguments and results: whole axes that divide the dim.
#pragma once

#include "spmd/ir/graph/History.h"
#include "spmd/passes/propagate/ProgramGraph.h"

namespace spmd {

/// Takes from each dim of an argument or result of a function that is called from outside the first
/// axis by which its shards would not be even, and what is behind it. What the user says of a value
/// stays. What changes is added to `history`, if there is one.
void keepBoundaryEven(ProgramGraph &program, History *history = nullptr);

/// Gives those of which a run before took axes so what it had found for them, which it noted beside
/// (`spmd.uneven_sharding`): others have learnt from that.
void restoreUneven(ProgramGraph &program);

} // namespace spmd
