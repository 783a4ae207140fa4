#include "spmd/dialect/partitioning/algorithms/Rows.h"

#include "spmd/dialect/partitioning/algorithms/Shards.h"
#include "spmd/dialect/stablehlo/Dialect.h"

namespace spmd {

using namespace stablehlo;

static mlir::RankedTensorType tensorOf(mlir::Value value) {
  return llvm::cast<mlir::RankedTensorType>(value.getType());
}

mlir::RankedTensorType RowBuilder::typeOf(mlir::Value value, int64_t numRows) {
  llvm::SmallVector<int64_t> shape(tensorOf(value).getShape());
  shape[dim] = numRows;
  return tensorOf(value).clone(shape);
}

mlir::Value RowBuilder::slice(mlir::Value value, int64_t from, int64_t numRows) {
  mlir::RankedTensorType type = tensorOf(value);
  if (from == 0 && numRows == type.getDimSize(dim))
    return value;
  llvm::SmallVector<int64_t> start(type.getRank(), 0), limit(type.getShape()),
      strides(type.getRank(), 1);
  start[dim] = from;
  limit[dim] = from + numRows;
  return SliceOp::create(builder, loc, typeOf(value, numRows), value, start, limit, strides);
}

llvm::SmallVector<mlir::Value> RowBuilder::startsAt(mlir::Value value, mlir::Value from) {
  llvm::SmallVector<mlir::Value> starts(tensorOf(value).getRank(), positions.constant(0));
  if (from)
    starts[dim] = from;
  return starts;
}

mlir::Value RowBuilder::slice(mlir::Value value, mlir::Value from, int64_t numRows) {
  mlir::RankedTensorType type = typeOf(value, numRows);
  if (numRows == tensorOf(value).getDimSize(dim))
    return value;
  return DynamicSliceOp::create(builder, loc, type, value, startsAt(value, from), type.getShape());
}

mlir::Value RowBuilder::update(mlir::Value into, mlir::Value rows, mlir::Value at) {
  if (rows.getType() == into.getType())
    return rows;
  return DynamicUpdateSliceOp::create(builder, loc, into, rows, startsAt(into, at));
}

mlir::Value RowBuilder::pad(mlir::Value value, int64_t low, int64_t high, int64_t interior,
                            mlir::Value fill) {
  mlir::RankedTensorType type = tensorOf(value);
  if (low == 0 && high == 0 && interior == 0)
    return value;
  if (!fill)
    fill = fillConstant(builder, loc, type.clone(llvm::ArrayRef<int64_t>{}), FillValue::zero);
  llvm::SmallVector<int64_t> lows(type.getRank(), 0), highs(lows), interiors(lows);
  lows[dim] = low;
  highs[dim] = high;
  interiors[dim] = interior;
  int64_t numRows = type.getDimSize(dim);
  int64_t dilated = numRows + std::max<int64_t>(0, numRows - 1) * interior;
  return PadOp::create(builder, loc, typeOf(value, low + dilated + high), value, fill, lows, highs,
                       interiors);
}

mlir::Value RowBuilder::join(llvm::ArrayRef<mlir::Value> values) {
  if (values.size() == 1)
    return values.front();
  int64_t numRows = 0;
  for (mlir::Value value : values)
    numRows += tensorOf(value).getDimSize(dim);
  return ConcatenateOp::create(builder, loc, typeOf(values.front(), numRows), values,
                               static_cast<uint64_t>(dim));
}

mlir::Value RowBuilder::reverse(mlir::Value value) {
  return ReverseOp::create(builder, loc, value.getType(), value, llvm::ArrayRef<int64_t>{dim});
}

mlir::Value RowBuilder::filled(mlir::Value value, int64_t numRows, mlir::Value fill) {
  mlir::RankedTensorType type = typeOf(value, numRows);
  if (!fill)
    return fillConstant(builder, loc, type, FillValue::zero);
  return BroadcastInDimOp::create(builder, loc, type, fill, llvm::ArrayRef<int64_t>{});
}

mlir::Value RowBuilder::compareRows(mlir::Value value, mlir::Value limit, bool isBelow) {
  mlir::RankedTensorType indexType = tensorOf(value).clone(positions.indexElement());
  mlir::Value rows = IotaOp::create(builder, loc, indexType, static_cast<uint64_t>(dim));
  mlir::Value limits = BroadcastInDimOp::create(
      builder, loc, indexType, limit ? limit : positions.constant(0), llvm::ArrayRef<int64_t>{});
  return CompareOp::create(builder, loc, indexType.clone(builder.getI1Type()), rows, limits,
                           isBelow ? ComparisonDirection::LT : ComparisonDirection::GE,
                           ComparisonTypeAttr::get(builder.getContext(), ComparisonType::SIGNED));
}

mlir::Value RowBuilder::rowsBelow(mlir::Value value, mlir::Value limit) {
  return compareRows(value, limit, /*isBelow=*/true);
}

mlir::Value RowBuilder::rowsFrom(mlir::Value value, mlir::Value limit) {
  return compareRows(value, limit, /*isBelow=*/false);
}

mlir::Value RowBuilder::both(mlir::Value mask, mlir::Value other) {
  return AndOp::create(builder, loc, mask.getType(), mask, other);
}

mlir::Value RowBuilder::select(mlir::Value mask, mlir::Value yes, mlir::Value no) {
  return SelectOp::create(builder, loc, yes.getType(), mask, yes, no);
}

} // namespace spmd
