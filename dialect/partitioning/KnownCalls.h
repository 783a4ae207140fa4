// Custom calls whose meaning is known: what frontends emit for matrices, and what says only where a
// value is kept.
#pragma once

#include "spmd/ir/rules/Strategy.h"

#include "mlir/IR/Operation.h"

namespace spmd {

/// Returns the strategies of `op`, a custom call of a target that the compiler knows; none of any
/// other.
Strategies strategiesOfKnownCall(mlir::Operation *op);

} // namespace spmd
