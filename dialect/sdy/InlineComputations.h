// Named computations in the place of their ops.
#pragma once

#include "mlir/IR/BuiltinOps.h"

namespace spmd::sdy {

/// Puts the body of each `sdy.named_computation` in its place; the shardings it gives its operands
/// and results become constraints on them. A name is all that is lost. Linear.
void inlineNamedComputations(mlir::ModuleOp module);

} // namespace spmd::sdy
