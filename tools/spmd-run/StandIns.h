// What stands in for what a program that is looked at and not run does not need.
#pragma once

#include "spmd/lowering/interpreter/KernelRegistry.h"
#include "spmd/lowering/program/DeviceProgram.h"

#include "mlir/IR/BuiltinOps.h"

namespace spmd {

/// Gives constants whose elements are left out (dialect/stablehlo/LeftOut.h) the elements zero.
void standInForLeftOut(mlir::ModuleOp module);

/// Registers a kernel that refuses to run for each custom call of `program` that has none: to say
/// what moves nobody has to compute it.
void standInForCalls(const DeviceProgram &program, KernelRegistry &kernels);

} // namespace spmd
