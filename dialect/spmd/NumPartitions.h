// For how many devices a module is.
#pragma once

#include "mlir/IR/BuiltinOps.h"

namespace spmd {

/// On a module, an integer: for how many devices it is. 1 says nothing of a module with a mesh.
inline constexpr llvm::StringLiteral numPartitionsName = "mhlo.num_partitions";

/// Returns for how many devices a module says that it is; 0 if it does not say.
int64_t statedPartitions(mlir::ModuleOp module);

/// Returns the number of devices of a partitioned module: what it says, or that of its largest
/// mesh; 1 if there is neither.
int64_t numDevicesIn(mlir::ModuleOp module);

/// Fails after a diagnostic for each mesh of `module` with axes for another number of devices than
/// the module says.
mlir::LogicalResult checkNumPartitions(mlir::ModuleOp module);

} // namespace spmd
