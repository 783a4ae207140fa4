// The pass `spmd-legalize-chlo`: from composed functions to plain StableHLO.

#include "spmd/dialect/chlo/Dialect.h"
#include "spmd/dialect/export/hlo/ExportHlo.h"
#include "spmd/dialect/sdy/Dialect.h"
#include "spmd/dialect/spmd/Walk.h"
#include "spmd/dialect/stablehlo/Dialect.h"
#include "spmd/passes/Passes.h"
#include "spmd/passes/legalize/Legalize.h"

namespace spmd {

#define GEN_PASS_DEF_LEGALIZECHLOPASS
#include "spmd/passes/Passes.h.inc"

namespace {

/// Which ops a module has that the functions below may replace. Most have few kinds, and each of
/// these functions walks through all.
struct Candidates {
  explicit Candidates(mlir::ModuleOp module) {
    using namespace stablehlo;
    const auto *composed = module.getContext()->getLoadedDialect<chlo::ChloDialect>();
    forEachOp(module, [&](mlir::Operation *op) {
      areComposed |= (composed && op->getDialect() == composed) || llvm::isa<CompositeOp>(op);
      areCalls |= llvm::isa<CustomCallOp>(op);
      areNorms |= llvm::isa<BatchNormTrainingOp, BatchNormGradOp>(op);
      areIndexed |= llvm::isa<GatherOp, ScatterOp>(op);
      areStarted |= llvm::isa<AsyncStartOp>(op);
    });
  }

  bool areComposed = false, areCalls = false, areNorms = false, areIndexed = false,
       areStarted = false;
};

struct LegalizeChloPass : impl::LegalizeChloPassBase<LegalizeChloPass> {
  using LegalizeChloPassBase::LegalizeChloPassBase;

  void runOnOperation() override {
    Candidates found(getOperation());
    mlir::SymbolTableCollection tables;
    auto shouldKeep = [&](mlir::Operation *op) {
      return (keepHlo && hasUsualOpcode(op->getName().getStringRef())) ||
             (keepFunctions && legalize::isSplitByRule(op, tables));
    };
    if (!keepHlo) { // HLO has the same calls and ops.
      if (found.areCalls) {
        legalize::replaceFunctionCalls(getOperation());
        legalize::replaceSearchCalls(getOperation());
      }
      if (found.areNorms)
        legalize::expandBatchNorms(getOperation());
      if (found.areIndexed)
        legalize::separateCountedIndices(getOperation());
      if (found.areStarted)
        legalize::joinLocalMoves(getOperation());
    }
    if (!found.areComposed && !found.areCalls) // Which may stand for what is composed.
      return;
    bool failed = mlir::failed(legalize::expandAbbreviations(getOperation(), shouldKeep));
    if (!failed && !keepFunctions)
      failed = mlir::failed(legalize::expandFunctions(getOperation(), shouldKeep));
    if (failed)
      signalPassFailure();
  }
};

} // namespace
} // namespace spmd
