// Shardings that an earlier pass or a tracer left behind, which nobody asked for.
#pragma once

#include "spmd/passes/propagate/ProgramGraph.h"

namespace spmd {

/// Lets hints (`spmd.sharding_hint`) decide where propagation came to rest without them: a dim that
/// is open takes the axes that its hint has beyond those it found, as far as they are free in the
/// value. Pinned values and those in manual regions stay as they are. Returns the values of the
/// graph that learnt something, in order. Linear in the hints.
std::vector<int32_t> applyHints(ProgramGraph &program);

/// Removes all hints from the module.
void dropHints(ProgramGraph &program);

} // namespace spmd
