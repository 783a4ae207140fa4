// The pass `spmd-check-known`: ops that MLIR's parser lets through, but no dialect knows.

#include "spmd/dialect/import/UnknownOps.h"
#include "spmd/passes/Passes.h"

namespace spmd {

#define GEN_PASS_DEF_CHECKKNOWNPASS
#include "spmd/passes/Passes.h.inc"

namespace {

struct CheckKnownPass : impl::CheckKnownPassBase<CheckKnownPass> {
  void runOnOperation() override {
    markAllAnalysesPreserved();
    if (mlir::failed(checkKnown(getOperation())))
      signalPassFailure();
  }
};

} // namespace
} // namespace spmd
