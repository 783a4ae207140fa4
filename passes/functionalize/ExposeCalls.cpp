#include "spmd/dialect/spmd/ValueSharding.h"
#include "spmd/passes/functionalize/Functionalize.h"

namespace spmd {

/// Loads what `call` is given in buffers, and stores what the callee returns of those that it
/// writes.
static void expose(mlir::func::CallOp call, const BufferEffects &effects) {
  if (llvm::none_of(call->getOperands(), isBuffer))
    return;
  mlir::func::FuncOp callee = effects.calleeOf(call);
  mlir::OpBuilder builder(call);
  llvm::SmallVector<mlir::Value> operands, written;
  llvm::SmallVector<mlir::Type> types(call->getResultTypes());
  for (mlir::OpOperand &operand : call->getOpOperands()) {
    mlir::Value given = operand.get();
    if (isBuffer(given)) {
      operands.push_back(LoadOp::create(builder, call->getLoc(), given));
      if (effects.writes(callee, operand.getOperandNumber())) {
        written.push_back(given);
        types.push_back(operands.back().getType());
      }
    } else {
      operands.push_back(given);
    }
  }
  auto exposed =
      mlir::func::CallOp::create(builder, call->getLoc(), call.getCallee(), types, operands);
  exposed->setDiscardableAttrs(call->getDiscardableAttrDictionary());
  removeSharding(exposed); // It has results now that are not listed there.
  for (auto [i, buffer] : llvm::enumerate(written))
    StoreOp::create(builder, call->getLoc(), exposed->getResult(call->getNumResults() + i), buffer);
  call->replaceAllUsesWith(exposed->getResults().take_front(call->getNumResults()));
  call.erase();
}

void exposeCalls(mlir::func::FuncOp func, const BufferEffects &effects) {
  std::vector<mlir::func::CallOp> calls;
  func.walk([&](mlir::func::CallOp call) { calls.push_back(call); });
  for (mlir::func::CallOp call : calls)
    expose(call, effects);
}

} // namespace spmd
