#include "spmd/passes/functionalize/Access.h"
#include "spmd/passes/functionalize/Functionalize.h"

#include "spmd/dialect/stablehlo/Dialect.h"

namespace spmd {

namespace {

void composeLoad(LoadOp load) {
  ValueSharding pin = pinOf(load.getResult());
  Access access(load, load.getBuffer());
  bool isInPlace = bufferOf(load.getBuffer()).getParentBlock() == load->getBlock();
  if (access.isWhole() && isInPlace && !pin)
    return;
  mlir::Value tensor = constrain(access.getBuilder(), load.getLoc(), access.load(), pin);
  load.getResult().replaceAllUsesWith(tensor);
  load.erase();
}

void composeStore(StoreOp store) {
  Access access(store, store.getBuffer());
  if (access.isWhole())
    return;
  access.store(store.getValue());
  store.erase();
}

/// A callee takes a buffer that is one, so what a view shows is held by one for the time of the
/// call.
void composeCall(mlir::func::CallOp call, const BufferEffects &effects) {
  if (llvm::any_of(call->getOperands(), isBuffer))
    constrainResults(call);
  mlir::func::FuncOp callee = effects.calleeOf(call);
  for (mlir::OpOperand &operand : call->getOpOperands()) {
    if (!isBuffer(operand.get()) || !operand.get().getDefiningOp<mlir::ViewLikeOpInterface>())
      continue;
    mlir::Value view = operand.get();
    Access before(call, view);
    mlir::Value shown = before.load();
    auto held = AllocOp::create(before.getBuilder(), call.getLoc(), view.getType());
    StoreOp::create(before.getBuilder(), call.getLoc(), shown, held);
    operand.set(held);
    if (!effects.writes(callee, operand.getOperandNumber()))
      continue;
    Access after(call, view);
    after.getBuilder().setInsertionPointAfter(call);
    after.store(LoadOp::create(after.getBuilder(), call.getLoc(), held));
  }
}

} // namespace

void composeViews(mlir::func::FuncOp func, const BufferEffects &effects) {
  std::vector<mlir::Operation *> accesses, views;
  func.walk<mlir::WalkOrder::PreOrder>([&](mlir::Operation *op) {
    bool isCustom = llvm::isa<stablehlo::CustomCallOp>(op);
    if (llvm::isa<LoadOp, StoreOp, mlir::func::CallOp>(op) ||
        (isCustom && llvm::any_of(op->getOperands(), isBuffer)))
      accesses.push_back(op);
    else if (llvm::isa<mlir::ViewLikeOpInterface>(op) && isBuffer(op->getResult(0)))
      views.push_back(op);
  });
  for (mlir::Operation *op : accesses) {
    if (auto load = llvm::dyn_cast<LoadOp>(op))
      composeLoad(load);
    else if (auto store = llvm::dyn_cast<StoreOp>(op))
      composeStore(store);
    else if (llvm::isa<stablehlo::CustomCallOp>(op))
      composeCustomCall(op, effects);
    else
      composeCall(llvm::cast<mlir::func::CallOp>(op), effects);
  }
  for (mlir::Operation *view : llvm::reverse(views))
    view->erase();
}

} // namespace spmd
