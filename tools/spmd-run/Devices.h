// The number of devices that a run is for, and that of replicas.
#pragma once

#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/raw_ostream.h"

namespace spmd {

/// Makes `module` a program of `numDevices` devices: one that has no mesh gets one of a single
/// axis. Fails after a diagnostic if the module has a mesh of, or is partitioned for, another
/// number.
mlir::LogicalResult setNumDevices(mlir::ModuleOp module, int64_t numDevices);

/// Warns where the program in `file` is for several replicas: each runs the same on data of its
/// own, and there is one set of inputs.
void warnOfReplicas(mlir::ModuleOp module, llvm::StringRef file, llvm::raw_ostream &errors);

} // namespace spmd
