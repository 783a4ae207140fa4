// How large tensors are, and which are too large to count.
#pragma once

#include "mlir/IR/BuiltinOps.h"

namespace spmd {

/// Whether `type` is that of a tensor or buffer with more than 2^56 elements: padding, which may
/// double a dim, and bytes would no longer be counted in 64 bits.
bool isTooLarge(mlir::Type type);
/// Reports a value of such a type.
void reportTooLarge(mlir::Value value);

/// Reports every value of a type that is too large. Linear.
mlir::LogicalResult verifySizes(mlir::ModuleOp module);

/// Returns the bytes of all values. What has no static shape counts nothing.
uint64_t bytesOf(mlir::ValueRange values);

} // namespace spmd
