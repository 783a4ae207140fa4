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

struct LegalizeChloPass : impl::LegalizeChloPassBase<LegalizeChloPass> {
  using LegalizeChloPassBase::LegalizeChloPassBase;

  void runOnOperation() override {
    auto shouldKeep = [&](mlir::Operation *op) {
      return keepHlo && hasUsualOpcode(op->getName().getStringRef());
    };
    if (!keepHlo) { // HLO has the same calls and ops.
      legalize::replaceFunctionCalls(getOperation());
      legalize::replaceSearchCalls(getOperation());
      legalize::expandBatchNorms(getOperation());
      legalize::separateCountedIndices(getOperation());
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
