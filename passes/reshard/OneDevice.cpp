#include "spmd/passes/reshard/OneDevice.h"

#include "spmd/dialect/sdy/Dialect.h"
#include "spmd/dialect/spmd/CompositeRule.h"
#include "spmd/dialect/spmd/DataFlow.h"
#include "spmd/dialect/spmd/Dialect.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace spmd {

static void inlineBody(sdy::ManualComputationOp op) {
  mlir::Block &body = op.getBody().front();
  for (auto [argument, operand] : llvm::zip(body.getArguments(), op.getOperands()))
    argument.replaceAllUsesWith(operand);
  mlir::Operation *last = body.getTerminator();
  op.replaceAllUsesWith(last->getOperands());
  last->erase();
  op->getBlock()->getOperations().splice(op->getIterator(), body.getOperations());
  op.erase();
}

void dropPlacements(mlir::ModuleOp module) {
  for (auto func : module.getOps<mlir::func::FuncOp>()) {
    clearShardings(func.getBody());
    std::vector<sdy::ManualComputationOp> computations;
    func.walk([&](mlir::Operation *op) { // Inner ones first.
      op->removeDiscardableAttr(sdy::shardingRuleName);
      op->removeDiscardableAttr(missingAttrName);
      op->removeDiscardableAttr(compositeRuleAttrName);
      if (auto manual = llvm::dyn_cast<sdy::ManualComputationOp>(op))
        computations.push_back(manual);
    });
    for (sdy::ManualComputationOp manual : computations)
      inlineBody(manual);
    func->removeDiscardableAttr(manualAxesAttrName);
  }
}

} // namespace spmd
