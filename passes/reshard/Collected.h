// Which values a loop collects: they are reduced once, behind it
// (`passes/optimize/ReduceAfterLoops.cpp`).
#pragma once

#include "spmd/dialect/spmd/Callers.h"
#include "spmd/dialect/spmd/DataFlow.h"
#include "spmd/passes/reshard/Values.h"

namespace spmd {

/// Marks what `loop` collects: what it adds up, and what it writes in small rows.
///
/// Marks as collected what `loop`, itself or by functions that nothing else calls, adds to what it
/// hands from turn to turn, and what that is made of element by element, where the whole takes no
/// more than `bytes` and there are turns enough that to reduce once is much less; in fewer turns as
/// deferred. So is what it writes into such a value, and what that is made of.
void markCollected(DataFlow loop, uint64_t bytes, OnlyCallees &callees, OpKinds &kinds,
                   Values &values);

} // namespace spmd
