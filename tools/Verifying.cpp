#include "spmd/tools/Verifying.h"

#include "spmd/passes/Passes.h"

#include <cstdlib>

namespace spmd {

static bool verifiesEach() { return std::getenv("SPMD_VERIFY_EACH") != nullptr; }

void verifyAtEnd(mlir::PassManager &manager) {
  verifyLater(manager);
  if (!verifiesEach() && !manager.empty())
    manager.addPass(createVerifyPass());
}

void verifyLater(mlir::PassManager &manager) {
  if (!verifiesEach())
    manager.enableVerifier(false);
}

} // namespace spmd
