// Rows of one dim of a value: cut, joined, put in front of each other.
#pragma once

#include "spmd/dialect/partitioning/Positions.h"

namespace spmd {

/// Makes ops on the rows of dim `dim` of tensors.
struct RowBuilder {
  mlir::OpBuilder &builder;
  mlir::Location loc;
  Positions &positions;
  int64_t dim;

  /// Returns `numRows` rows from row `from` on; `value` itself if that is all of it.
  mlir::Value slice(mlir::Value value, int64_t from, int64_t numRows);
  /// The same, where `from` is a scalar; it is brought into bounds. Null is 0.
  mlir::Value slice(mlir::Value value, mlir::Value from, int64_t numRows);
  /// Returns `into` with `rows` from row `at` on, which is brought into bounds. Null is 0.
  mlir::Value update(mlir::Value into, mlir::Value rows, mlir::Value at);
  /// Returns `value` with rows of `fill`, a scalar or null for zero, in front, behind and between.
  mlir::Value pad(mlir::Value value, int64_t low, int64_t high, int64_t interior, mlir::Value fill);
  mlir::Value join(llvm::ArrayRef<mlir::Value> values);
  mlir::Value reverse(mlir::Value value);
  /// Returns a tensor like `value` of `numRows` rows that holds `fill`, a scalar or null for zero.
  mlir::Value filled(mlir::Value value, int64_t numRows, mlir::Value fill);
  /// Returns a mask of the shape of `value` that tells its rows below `limit`, or from there on.
  /// The limit is a scalar; null is 0.
  mlir::Value rowsBelow(mlir::Value value, mlir::Value limit);
  mlir::Value rowsFrom(mlir::Value value, mlir::Value limit);
  mlir::Value both(mlir::Value mask, mlir::Value other);
  mlir::Value select(mlir::Value mask, mlir::Value yes, mlir::Value no);

private:
  mlir::RankedTensorType typeOf(mlir::Value value, int64_t numRows);
  mlir::Value compareRows(mlir::Value value, mlir::Value limit, bool isBelow);
  llvm::SmallVector<mlir::Value> startsAt(mlir::Value value, mlir::Value from);
};

} // namespace spmd
