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

mlir::Value spreadEdges(RowBuilder rows, mlir::Value value, EdgeRows edges) {
  if (edges.end)
    value = rows.select(rows.rowsFrom(value, edges.end),
                        repeatRow(rows, value, lastRow(rows, edges.end)), value);
  if (edges.first)
    value =
        rows.select(rows.rowsBelow(value, edges.first), repeatRow(rows, value, edges.first), value);
  return value;
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

mlir::Value foldEdges(RowBuilder rows, mlir::Value value, EdgeRows edges, ReductionKind kind) {
  auto found = [&](mlir::Value mask) { return combineRows(rows, value, mask, kind); };
  mlir::Value inFront = edges.first ? found(rows.rowsBelow(value, edges.first)) : nullptr;
  mlir::Value behind = edges.end ? found(rows.rowsFrom(value, edges.end)) : nullptr;
  auto add = [&](mlir::Value part, mlir::Value at) {
    value = rows.update(value,
                        combine(rows.builder, rows.loc, kind, rows.slice(value, at, 1), part), at);
  };
  if (inFront)
    add(inFront, edges.first);
  if (behind)
    add(behind, lastRow(rows, edges.end));
  return value;
}

} // namespace spmd
