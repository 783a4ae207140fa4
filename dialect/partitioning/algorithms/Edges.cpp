#include "spmd/dialect/partitioning/algorithms/Edges.h"

#include "spmd/dialect/partitioning/algorithms/CollectiveBuilder.h"
#include "spmd/dialect/partitioning/algorithms/Shards.h"
#include "spmd/dialect/stablehlo/Dialect.h"

namespace spmd {

using namespace stablehlo;

static mlir::RankedTensorType typeOf(mlir::Value value) {
  return llvm::cast<mlir::RankedTensorType>(value.getType());
}

/// Returns row `at`, once for each row of `value`.
static mlir::Value repeatRow(RowBuilder rows, mlir::Value value, mlir::Value at) {
  llvm::SmallVector<int64_t> dims;
  for (int64_t d = 0; d < typeOf(value).getRank(); ++d)
    dims.push_back(d);
  return BroadcastInDimOp::create(rows.builder, rows.loc, value.getType(), rows.slice(value, at, 1),
                                  dims);
}

/// Returns the index of the row before `end`.
static mlir::Value lastRow(RowBuilder rows, mlir::Value end) {
  return rows.positions.subtract(end, rows.positions.constant(1));
}

mlir::Value spreadEdges(RowBuilder rows, mlir::Value value, mlir::Value first, mlir::Value end) {
  mlir::Value behind =
      rows.select(rows.rowsFrom(value, end), repeatRow(rows, value, lastRow(rows, end)), value);
  return rows.select(rows.rowsBelow(value, first), repeatRow(rows, value, first), behind);
}

/// Returns the rows of `value` that `mask` tells, combined into one.
static mlir::Value combineRows(RowBuilder rows, mlir::Value value, mlir::Value mask,
                               ReductionKind kind) {
  mlir::RankedTensorType type = typeOf(value);
  llvm::SmallVector<int64_t> one(type.getShape()), reduced(type.getShape());
  one[rows.dim] = 1;
  reduced.erase(reduced.begin() + rows.dim);
  mlir::Value identity =
      fillConstant(rows.builder, rows.loc, type.clone(llvm::ArrayRef<int64_t>{}), identityOf(kind));
  mlir::Value kept =
      rows.select(mask, value, rows.filled(value, type.getDimSize(rows.dim), identity));
  auto reduce = ReduceOp::create(rows.builder, rows.loc, mlir::TypeRange{type.clone(reduced)},
                                 mlir::ValueRange{kept}, mlir::ValueRange{identity},
                                 rows.builder.getDenseI64ArrayAttr({rows.dim}));
  buildReducer(reduce.getBody(), rows.loc, type.getElementType(), kind);
  return ReshapeOp::create(rows.builder, rows.loc, type.clone(one), reduce->getResult(0));
}

mlir::Value foldEdges(RowBuilder rows, mlir::Value value, mlir::Value first, mlir::Value end,
                      ReductionKind kind) {
  mlir::Value inFront = combineRows(rows, value, rows.rowsBelow(value, first), kind);
  mlir::Value behind = combineRows(rows, value, rows.rowsFrom(value, end), kind);
  auto add = [&](mlir::Value into, mlir::Value found, mlir::Value at) {
    return rows.update(into, combine(rows.builder, rows.loc, kind, rows.slice(into, at, 1), found),
                       at);
  };
  return add(add(value, inFront, first), behind, lastRow(rows, end));
}

} // namespace spmd
