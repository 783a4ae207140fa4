// The mark of a module that is the program of one device already.
#pragma once

#include "mlir/IR/BuiltinOps.h"

namespace spmd {

/// On a module, a unit: it was partitioned elsewhere. Types are local; what its arguments and
/// results do not say is not known. With `sdy.sharding`, and without `spmd.global_type`, the global
/// shape is any that has such parts; without both, every device takes the whole of an argument, and
/// where its result lies in the whole is not known.
inline constexpr llvm::StringLiteral partitionedAttrName = "spmd.partitioned";

/// Returns whether `module` is the program of one device: it is marked so, or arguments or results
/// carry `spmd.global_type`.
bool isPartitioned(mlir::ModuleOp module);

/// Fails with an error if `module` is partitioned already: `what` is for programs of whole tensors.
mlir::LogicalResult verifyIsWhole(mlir::ModuleOp module, llvm::StringRef what);

} // namespace spmd
