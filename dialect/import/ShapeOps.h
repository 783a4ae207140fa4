// Arithmetic on sizes, as MLIR's own dialects write it.
#pragma once

#include "mlir/IR/BuiltinOps.h"

namespace spmd {

/// Replaces ops of `tensor` and `shape`, and the scalar ops of `arith` around them, by StableHLO on
/// tensors of i32 (i64 where the program says so):
///
///     %d = tensor.dim %x, %c0 : tensor<?xf32>     ->  stablehlo.get_dimension_size %x, dim = 0
///     %s = shape.shape_of %x : .. -> tensor<2xindex>  ->  sizes, concatenated
///     %y = tensor.cast %x : tensor<4xf32> to tensor<?xf32>  ->  stablehlo.dynamic_reshape
///
/// Reports what has no such form. Linear; free for a program without such ops.
mlir::LogicalResult importShapeOps(mlir::ModuleOp module);

} // namespace spmd
