// Buffers and access to them: what is stored and loaded lies as the buffer does.

#include "spmd/dialect/partitioning/Families.h"
#include "spmd/dialect/spmd/Dialect.h"

namespace spmd {

namespace {

template <typename Op> struct BufferModel : Partitionable::ExternalModel<BufferModel<Op>, Op> {
  Strategies getStrategies(mlir::Operation *op) const {
    RuleBuilder builder = ruleFor(op);
    mlir::Value any = op->getNumOperands() > 0 ? op->getOperand(0) : op->getResult(0);
    for (auto [d, size] : llvm::enumerate(shapeOf(any))) {
      int32_t factor = builder.factor(size);
      for (mlir::OpOperand &operand : op->getOpOperands())
        builder.operand(operand.getOperandNumber(), d, {factor});
      for (mlir::OpResult result : op->getResults())
        builder.result(result.getResultNumber(), d, {factor});
    }
    return {{builder.take(), {}, {}, 0}};
  }
};

} // namespace

void attachBuffers(mlir::MLIRContext *context) {
  AllocOp::attachInterface<BufferModel<AllocOp>>(*context);
  LoadOp::attachInterface<BufferModel<LoadOp>>(*context);
  StoreOp::attachInterface<BufferModel<StoreOp>>(*context);
}

} // namespace spmd
