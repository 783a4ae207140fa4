// The number of devices that a run is asked for, where the program leaves it open.
#pragma once

#include "mlir/IR/BuiltinOps.h"

namespace spmd {

/// Makes `module` a program of `numDevices` devices: one that has no mesh gets one of a single
/// axis. Fails after a diagnostic if the module has a mesh of, or is partitioned for, another
/// number.
mlir::LogicalResult setNumDevices(mlir::ModuleOp module, int64_t numDevices);

} // namespace spmd
