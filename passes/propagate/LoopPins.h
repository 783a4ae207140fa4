// Loops whose bodies return carries otherwise than they came in.
#pragma once

#include "spmd/passes/propagate/ProgramGraph.h"

namespace spmd {

/// Remarks on each value that a loop's body returns with a pinned sharding other than that of the
/// carry: the program says two things, and the value is moved in every turn. Requires that
/// propagation is done. Linear.
void remarkMovedCarries(ProgramGraph &program);

} // namespace spmd
