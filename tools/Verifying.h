// When the tools let MLIR verify what passes make.
#pragma once

#include "mlir/Pass/PassManager.h"

namespace spmd {

/// Lets MLIR verify the program once, behind all passes that `manager` has: it asks each op, and
/// behind each pass that takes as long as the passes themselves. Where SPMD_VERIFY_EACH is set, as
/// in our tests, each pass is verified, as MLIR's drivers do.
void verifyAtEnd(mlir::PassManager &manager);

/// The same for passes behind which others come: nothing is verified.
void verifyLater(mlir::PassManager &manager);

} // namespace spmd
