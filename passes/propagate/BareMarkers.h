// Calls of @Sharding that lost what they were to say.
#pragma once

#include "mlir/IR/BuiltinOps.h"

namespace spmd {

/// Remarks, on what goes into each call that the import marked with `spmd.bare_marker`, on what the
/// call was meant to carry: how propagation lets its operand lie, from what is around it. Takes the
/// marks away.
void remarkBareMarkers(mlir::ModuleOp module);

} // namespace spmd
