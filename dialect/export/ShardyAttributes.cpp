// Shardy's attributes for the way through HLO.

#include "spmd/dialect/export/ManualBorders.h"

#include "spmd/dialect/stablehlo/Dialect.h"

namespace spmd::export_shardings {

using mlir::LogicalResult;
using stablehlo::CustomCallOp;

static void add(mlir::Operation *op, llvm::StringRef name, mlir::Attribute value) {
  op->setDiscardableAttr(frontendName,
                         withFrontend(op->getAttrOfType<mlir::DictionaryAttr>(frontendName),
                                      ("xla.sdy." + name).str(), value));
}

static CustomCallOp makeCall(mlir::OpBuilder &builder, mlir::Location location,
                             llvm::StringRef target, mlir::TypeRange types,
                             mlir::ValueRange operands) {
  auto call = CustomCallOp::create(builder, location, types, operands);
  call.setCallTargetName(target);
  call.setHasSideEffect(true);
  call.setBackendConfigAttr(builder.getStringAttr(""));
  return call;
}

void addShardySharding(mlir::Operation *op, sdy::ShardingAttr sharding) {
  addShardyShardings(op, sdy::ShardingPerValueAttr::get(op->getContext(), sharding));
}

void addShardyShardings(mlir::Operation *op, sdy::ShardingPerValueAttr shardings) {
  add(op, "sharding", shardings);
}

void writeShardyResult(ShardingCalls &calls, mlir::func::FuncOp function, unsigned result,
                       sdy::ShardingAttr sharding) {
  if (function.isExternal())
    return;
  mlir::Operation *end = function.front().getTerminator();
  mlir::OpBuilder builder(end);
  mlir::Value value = end->getOperand(result);
  auto call =
      makeCall(builder, value.getLoc(), "xla.sdy.FuncResultSharding", value.getType(), value);
  addShardySharding(call, sharding);
  end->setOperand(result, call->getResult(0));
}

void writeShardyGroup(mlir::OpBuilder &builder, sdy::ShardingGroupOp group) {
  auto call = makeCall(builder, group.getLoc(), "xla.sdy.ShardingGroup", {}, group.getInput());
  add(call, "sharding_group_id", group.getGroupIdAttr());
}

mlir::Value writeShardyBarrier(mlir::OpBuilder &builder, sdy::PropagationBarrierOp barrier) {
  auto call = makeCall(builder, barrier.getLoc(), "xla.sdy.PropagationBarrier", barrier.getType(),
                       barrier.getInput());
  auto direction = static_cast<int32_t>(barrier.getAllowedDirection());
  add(call, "allowed_direction", builder.getI32IntegerAttr(direction));
  return call->getResult(0);
}

LogicalResult writeShardyComputation(ShardingCalls &calls, sdy::ManualComputationOp op) {
  if (op->getNumOperands() + op->getNumResults() == 0)
    return op.emitError()
           << "takes and returns no values, so that this form has no call to say its "
              "manual axes; use form=v3";
  mlir::OpBuilder builder(op);
  llvm::SmallVector<mlir::Value> locals;
  if (op->getNumOperands() > 0) {
    CustomCallOp begin = makeCall(builder, op.getLoc(), "xla.sdy.GlobalToLocalShape",
                                  op.getBody().front().getArgumentTypes(), op->getOperands());
    add(begin, "in_shardings", op.getInShardings());
    add(begin, "manual_axes", op.getManualAxes());
    llvm::append_range(locals, begin->getResults());
  }
  mlir::func::FuncOp function = outlineBody(calls, op, "xla.sdy.manual_computation_body");
  auto call = mlir::func::CallOp::create(builder, op.getLoc(), function, locals);
  if (op->getNumResults() > 0) {
    CustomCallOp end = makeCall(builder, op.getLoc(), "xla.sdy.LocalToGlobalShape",
                                op->getResultTypes(), call->getResults());
    add(end, "out_shardings", op.getOutShardings());
    add(end, "manual_axes", op.getManualAxes());
    op->replaceAllUsesWith(end->getResults());
  }
  op->erase();
  return mlir::success();
}

} // namespace spmd::export_shardings
