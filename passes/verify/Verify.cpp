// The pass `spmd-verify`: what MLIR's drivers check behind each pass, once.

#include "spmd/passes/Passes.h"

#include "mlir/IR/Verifier.h"

namespace spmd {

#define GEN_PASS_DEF_VERIFYPASS
#include "spmd/passes/Passes.h.inc"

namespace {

struct VerifyPass : impl::VerifyPassBase<VerifyPass> {
  void runOnOperation() override {
    markAllAnalysesPreserved();
    if (mlir::failed(mlir::verify(getOperation())))
      signalPassFailure();
  }
};

} // namespace
} // namespace spmd
