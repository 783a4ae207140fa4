// The pass `spmd-functionalize`: from buffers and views to values.

#include "spmd/passes/functionalize/Functionalize.h"

#include "spmd/dialect/sdy/Dialect.h"
#include "spmd/dialect/stablehlo/Dialect.h"
#include "spmd/passes/Passes.h"

namespace spmd {

#define GEN_PASS_DEF_FUNCTIONALIZEPASS
#include "spmd/passes/Passes.h.inc"

mlir::LogicalResult functionalize(mlir::ModuleOp module, bool toValues) {
  if (!hasBuffers(module))
    return mlir::success();
  if (mlir::failed(joinMemory(module)))
    return mlir::failure();
  BufferEffects effects(module);
  if (mlir::failed(checkBuffers(module, effects)))
    return mlir::failure();
  for (auto func : module.getOps<mlir::func::FuncOp>()) {
    if (func.isExternal())
      continue;
    carryBuffers(func, effects);
    composeViews(func, effects);
    exposeCalls(func, effects);
    dropDeadStores(func, effects);
    if (!effects.isCalled(func))
      returnContents(func, effects);
  }
  buffersToValues(module, effects, /*ofCalleesOnly=*/!toValues);
  return mlir::success();
}

namespace {

struct FunctionalizePass : impl::FunctionalizePassBase<FunctionalizePass> {
  using FunctionalizePassBase::FunctionalizePassBase;

  void runOnOperation() override {
    if (mlir::failed(spmd::functionalize(getOperation(), functionalize)))
      signalPassFailure();
  }
};

} // namespace
} // namespace spmd
