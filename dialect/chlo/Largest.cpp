#include "spmd/dialect/chlo/Largest.h"

#include "spmd/dialect/stablehlo/Dialect.h"

namespace spmd::chlo {

using namespace stablehlo;
using mlir::Value;

static mlir::RankedTensorType tensorOf(Value value) {
  return llvm::cast<mlir::RankedTensorType>(value.getType());
}

/// Fills the comparator of a sort of values and their places: larger values first.
static void addComparator(mlir::OpBuilder &builder, SortOp sort) {
  mlir::OpBuilder::InsertionGuard guard(builder);
  mlir::Block *block = builder.createBlock(&sort.getComparator());
  for (Value input : sort.getInputs()) {
    auto scalar = mlir::RankedTensorType::get({}, tensorOf(input).getElementType());
    block->addArguments({scalar, scalar}, {sort.getLoc(), sort.getLoc()});
  }
  Value a = block->getArgument(0), b = block->getArgument(1);
  stablehlo::ComparisonTypeAttr order;
  if (llvm::isa<mlir::FloatType>(tensorOf(a).getElementType()))
    order = stablehlo::ComparisonTypeAttr::get(builder.getContext(),
                                               stablehlo::ComparisonType::TOTALORDER);
  auto pred = mlir::RankedTensorType::get({}, builder.getI1Type());
  Value isBefore = stablehlo::CompareOp::create(builder, sort.getLoc(), pred, a, b,
                                                stablehlo::ComparisonDirection::GT, order);
  ReturnOp::create(builder, sort.getLoc(), isBefore);
}

Ranked largestOf(mlir::OpBuilder &builder, mlir::Location loc, const Ranked &rows, int64_t k,
                 bool isStable) {
  mlir::RankedTensorType type = tensorOf(rows.values);
  auto sort =
      SortOp::create(builder, loc, mlir::TypeRange{type, rows.places.getType()},
                     mlir::ValueRange{rows.values, rows.places}, type.getRank() - 1, isStable);
  addComparator(builder, sort);
  llvm::SmallVector<int64_t> start(type.getRank(), 0), strides(type.getRank(), 1),
      limit(type.getShape());
  limit.back() = k;
  return {SliceOp::create(builder, loc, sort->getResult(0), start, limit, strides),
          SliceOp::create(builder, loc, sort->getResult(1), start, limit, strides)};
}

} // namespace spmd::chlo
