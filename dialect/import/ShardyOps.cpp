#include "spmd/dialect/import/ShardyOps.h"

#include "spmd/dialect/sdy/Dialect.h"
#include "spmd/dialect/spmd/Walk.h"
#include "spmd/dialect/stablehlo/Dialect.h"

#include "llvm/ADT/TypeSwitch.h"

namespace spmd {

static void replaceEdge(mlir::OpBuilder &builder, mlir::Operation *edge,
                        sdy::ShardingAttr sharding) {
  mlir::Value input = edge->getOperand(0);
  if (sharding)
    input = sdy::ShardingConstraintOp::create(builder, edge->getLoc(), input, sharding);
  edge->getResult(0).replaceAllUsesWith(input);
  edge->erase();
}

static void replaceConstant(mlir::OpBuilder &builder, sdy::ConstantOp constant) {
  auto plain = stablehlo::ConstantOp::create(builder, constant.getLoc(), constant.getType(),
                                             constant.getValue());
  plain->setDiscardableAttrs(constant->getDiscardableAttrDictionary());
  constant->replaceAllUsesWith(plain);
  constant.erase();
}

/// Replaces what GSPMD calls a barrier: @ShardBarrierFrom lets shardings of its users through to
/// its operand, @ShardBarrierTo those of its operand to its users.
static void replaceBarrier(mlir::OpBuilder &builder, stablehlo::CustomCallOp call) {
  llvm::StringRef target = call.getCallTargetName();
  bool isFrom = target == "ShardBarrierFrom";
  bool isBarrier = (isFrom || target == "ShardBarrierTo") && call->getNumOperands() == 1 &&
                   call->getNumResults() == 1 &&
                   call->getOperand(0).getType() == call->getResult(0).getType();
  if (!isBarrier)
    return;
  auto barrier = sdy::PropagationBarrierOp::create(
      builder, call.getLoc(), call->getResult(0).getType(), call->getOperand(0),
      isFrom ? sdy::PropagationDirection::BACKWARD : sdy::PropagationDirection::FORWARD);
  if (mlir::Attribute sharding = call->getDiscardableAttr("mhlo.sharding"))
    barrier->setDiscardableAttr("mhlo.sharding", sharding);
  call->replaceAllUsesWith(barrier);
  call.erase();
}

void importShardyOps(mlir::ModuleOp module) {
  mlir::OpBuilder builder(module.getContext());
  forEachOp(module, [&](mlir::Operation *op) {
    builder.setInsertionPoint(op);
    llvm::TypeSwitch<mlir::Operation *>(op)
        .Case([&](sdy::DataFlowEdgeOp edge) { replaceEdge(builder, edge, edge.getShardingAttr()); })
        .Case([&](sdy::FuncDataFlowEdgeOp edge) { replaceEdge(builder, edge, {}); })
        .Case([&](sdy::ConstantOp constant) { replaceConstant(builder, constant); })
        .Case([&](stablehlo::CustomCallOp call) { replaceBarrier(builder, call); });
  });
}

} // namespace spmd
