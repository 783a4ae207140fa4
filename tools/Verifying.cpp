#include "spmd/tools/Verifying.h"

#include "mlir/IR/Verifier.h"
#include "mlir/Pass/Pass.h"

#include <cstdlib>

namespace spmd {

namespace {

struct VerifyPass : mlir::PassWrapper<VerifyPass, mlir::OperationPass<>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(VerifyPass)

  llvm::StringRef getName() const override { return "verify"; }
  void runOnOperation() override {
    markAllAnalysesPreserved();
    if (mlir::failed(mlir::verify(getOperation())))
      signalPassFailure();
  }
};

} // namespace

static bool verifiesEach() { return std::getenv("SPMD_VERIFY_EACH") != nullptr; }

void verifyAtEnd(mlir::PassManager &manager) {
  verifyLater(manager);
  if (!verifiesEach() && !manager.empty())
    manager.addPass(std::make_unique<VerifyPass>());
}

void verifyLater(mlir::PassManager &manager) {
  if (!verifiesEach())
    manager.enableVerifier(false);
}

} // namespace spmd
