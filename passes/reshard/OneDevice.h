// Programs whose meshes have no axes: all of it runs on one device.
#pragma once

#include "mlir/IR/BuiltinOps.h"

namespace spmd {

/// Drops what the ops of `module`, none of whose meshes has axes, say of shardings: maximal meshes
/// and the empty one split nothing. Bodies of computations on local shapes, which are whole here,
/// take the places of their ops. Arguments and results keep what they say. Linear.
void dropPlacements(mlir::ModuleOp module);

} // namespace spmd
