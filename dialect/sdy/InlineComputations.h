// Named computations in the place of their ops.
#pragma once

#include "mlir/IR/BuiltinOps.h"

namespace spmd::sdy {

/// Puts the body of each `sdy.named_computation` in its place; the shardings it gives its operands
/// and results become constraints on them. A name is all that is lost. Linear.
///
/// `note` is told of each argument and result before it goes, and of what takes its place: a
/// constraint where the computation says how it lies.
void inlineNamedComputations(
    mlir::ModuleOp module,
    llvm::function_ref<void(mlir::Value was, mlir::Value is)> note = nullptr);

} // namespace spmd::sdy
