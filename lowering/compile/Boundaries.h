// The arguments and results of a whole program.
#pragma once

#include "spmd/lowering/program/DeviceProgram.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace spmd {

/// Sets `program.arguments` and `program.results` to what `main` says of its own: whole types,
/// meshes, shardings, donations. Fails after a diagnostic on each that is not the part its whole
/// type and its sharding give. Requires that all types have forms on a device.
mlir::LogicalResult describeBoundary(mlir::func::FuncOp main, DeviceProgram &program);

/// Returns the types of the tensors that a value of `type` is on a device: one, or those that a
/// tuple or future holds; a token is an empty tensor. Nothing if there is no such form.
std::optional<std::vector<TensorType>> deviceTypes(mlir::Type type);

} // namespace spmd
