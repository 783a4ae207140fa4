// Dims that turn out to have no elements: private to this folder.
#pragma once

#include "mlir/IR/BuiltinOps.h"

namespace spmd {

/// Drops axes from the shardings of dims of size 0, where they are written on values or on results
/// of functions: there is nothing to divide, and no sharding may say so. Linear.
void dropAxesOfEmptyDims(mlir::ModuleOp module);

} // namespace spmd
