// The program of the one device that a program without axes runs on.
#pragma once

#include "mlir/IR/BuiltinOps.h"

namespace spmd {

/// Partitions `module`, none of whose meshes has axes, for one device: shapes stay, ops say nothing
/// of shardings, and public functions say what their arguments and results are, as for more
/// devices. A module that says nothing of shardings is left alone. Linear.
void partitionForOneDevice(mlir::ModuleOp module);

} // namespace spmd
