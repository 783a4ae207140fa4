// Calls that lie within each other must end.
#pragma once

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/SymbolTable.h"

namespace spmd {

/// Reports each call that closes a circle, in functions that `from`, an op of `module`, leads to.
/// Fails if there is one. Linear in these functions.
mlir::LogicalResult checkRecursion(mlir::Operation *from, const mlir::SymbolTable &symbols);

} // namespace spmd
