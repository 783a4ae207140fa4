// From StableHLO to a device program.
#pragma once

#include "spmd/lowering/program/DeviceProgram.h"

#include "mlir/IR/BuiltinOps.h"

namespace spmd {

/// Compiles `@main` of `module` and all that it calls to a device program with planned releases.
///
/// A partitioned module (`isPartitioned`) becomes the program of each of its devices; any other
/// module that of one device, on which sharding ops do nothing. Fails after a diagnostic on every
/// op that has no device form.
mlir::FailureOr<DeviceProgram> compileModule(mlir::ModuleOp module);

/// Returns for how many partitions a partitioned module is: what it says, or as many as the mesh of
/// its arguments and results has devices; else 1.
int64_t numPartitionsOf(mlir::ModuleOp module);

} // namespace spmd
