// Shardings of dims that have no elements.
#pragma once

#include "mlir/IR/BuiltinOps.h"

namespace spmd {

/// Drops axes from the shardings of dims of size 0, where they are written on values or on results
/// of functions: there is nothing to divide. Linear.
void dropAxesOfEmptyDims(mlir::ModuleOp module);

} // namespace spmd
