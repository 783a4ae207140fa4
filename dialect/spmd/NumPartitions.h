// For how many devices a module is.
#pragma once

#include "mlir/IR/BuiltinOps.h"

namespace spmd {

/// On a module, an integer: for how many devices it is. 1 says nothing of a module with a mesh.
inline constexpr llvm::StringLiteral numPartitionsName = "mhlo.num_partitions";

/// Fails after a diagnostic for each mesh of `module` with axes for another number of devices than
/// the module says.
mlir::LogicalResult checkNumPartitions(mlir::ModuleOp module);

} // namespace spmd
