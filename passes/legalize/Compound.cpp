#include "spmd/passes/legalize/Compound.h"

#include "spmd/dialect/chlo/RaggedProduct.h"
#include "spmd/dialect/partitioning/Partitionable.h"
#include "spmd/passes/legalize/Legalize.h"

namespace spmd::legalize {

using namespace stablehlo;
using mlir::Value;

/// Fills the comparator of a sort of values and their places: larger values first. Floats have a
/// total order, so that NaN has a place.
static void addComparator(mlir::OpBuilder &builder, SortOp sort) {
  mlir::OpBuilder::InsertionGuard guard(builder);
  mlir::Block *block = builder.createBlock(&sort.getComparator());
  for (Value input : sort.getInputs()) {
    auto scalar = mlir::RankedTensorType::get({}, tensorTypeOf(input).getElementType());
    block->addArguments({scalar, scalar}, {sort.getLoc(), sort.getLoc()});
  }
  Value a = block->getArgument(0), b = block->getArgument(1);
  ComparisonTypeAttr order;
  if (llvm::isa<mlir::FloatType>(tensorTypeOf(a).getElementType()))
    order = ComparisonTypeAttr::get(builder.getContext(), ComparisonType::TOTALORDER);
  auto pred = mlir::RankedTensorType::get({}, builder.getI1Type());
  Value isBefore =
      CompareOp::create(builder, sort.getLoc(), pred, a, b, ComparisonDirection::GT, order);
  ReturnOp::create(builder, sort.getLoc(), isBefore);
}

mlir::LogicalResult expandTopK(chlo::TopKOp op) {
  mlir::RankedTensorType type = tensorTypeOf(op.getOperand());
  if (llvm::isa<mlir::ComplexType>(type.getElementType()))
    return op.emitOpError() << "operand 0 has element type " << type.getElementType()
                            << ", which has no order";
  mlir::OpBuilder builder(op);
  int64_t last = type.getRank() - 1;
  mlir::RankedTensorType placesType = type.clone(tensorTypeOf(op.getIndices()).getElementType());
  Value places = IotaOp::create(builder, op.getLoc(), placesType, last);
  auto sort = SortOp::create(builder, op.getLoc(), mlir::TypeRange{type, placesType},
                             mlir::ValueRange{op.getOperand(), places}, last, op.getIsStable());
  addComparator(builder, sort);
  llvm::SmallVector<int64_t> start(type.getRank(), 0), strides(type.getRank(), 1),
      limit(type.getShape());
  limit.back() = op.getK();
  llvm::SmallVector<Value> slices;
  for (Value sorted : sort->getResults())
    slices.push_back(SliceOp::create(builder, op.getLoc(), sorted, start, limit, strides));
  replaceOp(op, slices);
  return mlir::success();
}

mlir::LogicalResult expandRaggedDot(chlo::RaggedDotOp op) {
  if (!chlo::hasRaggedProduct(op))
    return reportElements(op, tensorTypeOf(op.getLhs()).getElementType());
  mlir::OpBuilder builder(op);
  replaceOp(op, chlo::raggedProduct(builder, op));
  return mlir::success();
}

} // namespace spmd::legalize
