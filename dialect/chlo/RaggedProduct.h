// A ragged dot as a plain one.
#pragma once

#include "spmd/dialect/chlo/Dialect.h"

namespace spmd::chlo {

/// What one device holds of a ragged dot.
struct RaggedPart {
  /// The first of its rows of the ragged dim, as tensor<i32>; null if 0.
  mlir::Value firstRow;
  /// Takes its groups out of a tensor with all groups in the last dim; the places of groups that do
  /// not exist hold 0. Empty if it holds all.
  std::function<mlir::Value(mlir::Value)> takeGroups;
};

/// Returns whether raggedProduct() can write `op`: elements must have a zero, which quantized and
/// some narrow types do not.
bool hasRaggedProduct(RaggedDotOp op);

/// Writes `op`, which has static shapes and hasRaggedProduct(), as
/// `stablehlo.dot_general` before it, and returns the result. Rows are repeated for each group,
/// with 0 in the place of the other groups' rows: the product then sums over the groups, or has
/// them as a dim. So it costs the work of as many products as there are groups.
mlir::Value raggedProduct(mlir::OpBuilder &builder, RaggedDotOp op, const RaggedPart &part = {});

} // namespace spmd::chlo
