#include "spmd/passes/legalize/Compound.h"

#include "spmd/dialect/chlo/Largest.h"
#include "spmd/dialect/chlo/RaggedProduct.h"
#include "spmd/dialect/partitioning/Partitionable.h"
#include "spmd/passes/legalize/Legalize.h"

namespace spmd::legalize {

using namespace stablehlo;
using mlir::Value;

mlir::LogicalResult expandTopK(chlo::TopKOp op) {
  mlir::RankedTensorType type = tensorTypeOf(op.getOperand());
  if (llvm::isa<mlir::ComplexType>(type.getElementType()))
    return op.emitOpError() << "operand 0 has element type " << type.getElementType()
                            << ", which has no order";
  mlir::OpBuilder builder(op);
  int64_t last = type.getRank() - 1;
  mlir::RankedTensorType placesType = type.clone(tensorTypeOf(op.getIndices()).getElementType());
  Value places = IotaOp::create(builder, op.getLoc(), placesType, last);
  chlo::Ranked largest =
      chlo::largestOf(builder, op.getLoc(), {op.getOperand(), places}, op.getK(), op.getIsStable());
  replaceOp(op, {largest.values, largest.places});
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
