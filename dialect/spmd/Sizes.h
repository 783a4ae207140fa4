// Tensors that are too large to count.
#pragma once

#include "mlir/IR/BuiltinOps.h"

namespace spmd {

/// Reports every value of a tensor or buffer type with more than 2^56 elements: padding, which may
/// double a dim, and bytes would no longer be counted in 64 bits. Linear.
mlir::LogicalResult verifySizes(mlir::ModuleOp module);

} // namespace spmd
