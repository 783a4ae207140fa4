// The pass `spmd-legalize-chlo`: from composed functions to plain StableHLO.

#include "spmd/dialect/chlo/Dialect.h"
#include "spmd/dialect/export/hlo/ExportHlo.h"
#include "spmd/dialect/sdy/Dialect.h"
#include "spmd/dialect/stablehlo/Dialect.h"
#include "spmd/passes/Passes.h"
#include "spmd/passes/legalize/Legalize.h"

namespace spmd {

#define GEN_PASS_DEF_LEGALIZECHLOPASS
#include "spmd/passes/Passes.h.inc"

namespace {

/// Whether `module` has an op that the functions below may replace. Most have none, and each of
/// these functions walks through all.
bool hasCandidates(mlir::ModuleOp module) {
  using namespace stablehlo;
  const auto *composed = module.getContext()->getLoadedDialect<chlo::ChloDialect>();
  return module
      .walk([&](mlir::Operation *op) {
        bool isCandidate = (composed && op->getDialect() == composed) ||
                           llvm::isa<CompositeOp, CustomCallOp, BatchNormTrainingOp,
                                     BatchNormGradOp, GatherOp, ScatterOp, AsyncStartOp>(op);
        return isCandidate ? mlir::WalkResult::interrupt() : mlir::WalkResult::advance();
      })
      .wasInterrupted();
}

struct LegalizeChloPass : impl::LegalizeChloPassBase<LegalizeChloPass> {
  using LegalizeChloPassBase::LegalizeChloPassBase;

  void runOnOperation() override {
    if (!hasCandidates(getOperation()))
      return;
    auto shouldKeep = [&](mlir::Operation *op) {
      return keepHlo && hasUsualOpcode(op->getName().getStringRef());
    };
    if (!keepHlo) { // HLO has the same calls and ops.
      legalize::replaceFunctionCalls(getOperation());
      legalize::replaceSearchCalls(getOperation());
      legalize::expandBatchNorms(getOperation());
      legalize::separateCountedIndices(getOperation());
      legalize::joinLocalMoves(getOperation());
    }
    bool failed = mlir::failed(legalize::expandAbbreviations(getOperation(), shouldKeep));
    if (!failed && !keepFunctions)
      failed = mlir::failed(legalize::expandFunctions(getOperation(), shouldKeep));
    if (failed)
      signalPassFailure();
  }
};

} // namespace
} // namespace spmd
