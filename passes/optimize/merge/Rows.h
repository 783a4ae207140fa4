// Tensors as matrices: what is sent to each device of a group is a row.
#pragma once

#include "mlir/IR/Builders.h"

namespace spmd {

/// Returns a matrix of which row i is the i-th of `count` equal pieces of `value` along `dim`. With
/// one piece no element moves.
mlir::Value rowsOf(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value value, int64_t dim,
                   int64_t count);

/// Returns the `count` pieces of `shape` that follow each other in `rows`, joined along `dim`.
mlir::Value joinRows(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value rows, int64_t count,
                     llvm::ArrayRef<int64_t> shape, int64_t dim);

/// Returns matrices of as many rows side by side.
mlir::Value besideEachOther(mlir::OpBuilder &builder, mlir::Location loc,
                            llvm::ArrayRef<mlir::Value> matrices);

/// Returns `width` columns of a matrix from `first` on.
mlir::Value columnsOf(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value rows, int64_t first,
                      int64_t width);

} // namespace spmd
