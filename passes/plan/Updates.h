// Which arguments a program gives back changed: parameters that a step trains, and the state of
// their optimizer, whether anybody says so or not.
#pragma once

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"

namespace spmd {

/// Returns, for each argument of `entry`, a function of `module`, whether some result is a new
/// version of it: it is donated, or the result is computed from it place by place
/// (`p - rate * gradient`). Linear.
std::vector<bool> updatedArguments(mlir::ModuleOp module, mlir::func::FuncOp entry);

} // namespace spmd
