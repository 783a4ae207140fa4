// Which values a loop collects: they are reduced once, behind it
// (`passes/optimize/ReduceAfterLoops.cpp`).
#pragma once

#include "spmd/dialect/spmd/Callers.h"
#include "spmd/dialect/spmd/DataFlow.h"
#include "spmd/passes/reshard/Values.h"

namespace spmd {

/// Marks what `loop`, itself or by functions that nothing else calls, adds to what it hands from
/// turn to turn, and what that is made of element by element, where the whole takes no more than
/// `bytes`.
void markCollected(DataFlow loop, uint64_t bytes, OnlyCallees &callees, OpKinds &kinds,
                   Values &values);

} // namespace spmd
