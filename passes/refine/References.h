// Functions that say what custom calls compute: out of the way while the program is partitioned,
// called in place of the calls where it is run.
//
//     %0 = stablehlo.custom_call @flip(%x) {spmd.reference = @reverse} : ..
//
// They are of dynamic shape, for calls of any size. Passes that need static shapes would stop at
// them, so they stand in a module of their own, @spmd.references, behind the program.
#pragma once

#include "mlir/IR/BuiltinOps.h"

namespace spmd {

/// Moves the functions that `spmd.reference` and `spmd.rule` name, and those that they call, to
/// @spmd.references; not @main, nor what it calls. With them go private functions of dynamic shape
/// that nobody names: a plan may. Fails after a diagnostic where one of these names is no function
/// with a body.
mlir::LogicalResult hideReferences(mlir::ModuleOp module);

/// Returns the module @spmd.references of `module`, made if there is none.
mlir::ModuleOp makeReferencesModule(mlir::ModuleOp module);

/// Moves them back.
void showReferences(mlir::ModuleOp module);

/// Removes functions of @spmd.references that nothing names (no more), and the module if it is
/// empty then.
void dropUnusedReferences(mlir::ModuleOp module);

/// Replaces each op that has a reference, and that `which` chooses, by a call of it. Fails after a
/// diagnostic where the reference is none, or does not take what the op does.
mlir::LogicalResult callReferences(mlir::ModuleOp module,
                                   llvm::function_ref<bool(mlir::Operation *)> which);

/// Gives what `callReferences` calls the shapes of its arguments. Fails after a diagnostic where
/// its results are not of the types that the op's are.
mlir::LogicalResult refineReferences(mlir::ModuleOp module);

/// Does all of this for a program that is about to run: afterwards calls with a reference are calls
/// of functions of static shape.
mlir::LogicalResult inlineReferences(mlir::ModuleOp module);

/// Does it for the calls that only their reference can compute: those that the compiler made, and
/// those into the process that traced the program (ProcessCalls.h), which knows nothing of parts.
/// The others keep their reference.
mlir::LogicalResult inlineOwnReferences(mlir::ModuleOp module);

} // namespace spmd
