// Masks and slices of shards: what uneven dims and values that are known everywhere need.
#pragma once

#include "spmd/dialect/partitioning/Positions.h"
#include "spmd/ir/rules/Strategy.h"

namespace spmd {

/// Returns a splat constant of `type` that holds `fill`. `anything` gives zero.
mlir::Value fillConstant(mlir::OpBuilder &builder, mlir::Location loc, mlir::RankedTensorType type,
                         FillValue fill);

/// Returns whether `value` is a constant, or repeats one, that holds `fill` in all elements.
bool isFilledWith(mlir::Value value, FillValue fill);

/// Returns `local` with its padding along `dims` replaced by `fill`. Dims that divide have no
/// padding.
mlir::Value maskPadding(mlir::OpBuilder &builder, mlir::Location loc, Positions &positions,
                        const Mesh &mesh, mlir::Value local, const Sharding &sharding,
                        llvm::ArrayRef<int64_t> globalShape, llvm::ArrayRef<int64_t> dims,
                        FillValue fill);

/// Returns the device's shard of `whole`, which every device holds; padding is zero.
mlir::Value takeShard(mlir::OpBuilder &builder, mlir::Location loc, Positions &positions,
                      const Mesh &mesh, mlir::Value whole, const Sharding &sharding);

} // namespace spmd
