// Ops that run as their user says they do: the same op on smaller tensors, or a reference function.
//
// A rule that a user wrote claims that the op, run on shards as it is, gives shards of its results.
// What a family knows of such an op must not help, so a custom call without meaning stands in for
// it until the program is partitioned.
#pragma once

#include "spmd/dialect/spmd/Dialect.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace spmd {

/// Returns the stand-in for `op`, in a module of its own with the functions that `op` names, with
/// tensors of `types` (operands, then results) and the user's rule `rule`. Null, without a word, if
/// `op` cannot be so.
mlir::OwningOpRef<mlir::ModuleOp> makeStandIn(mlir::Operation *op, mlir::Attribute rule,
                                              llvm::ArrayRef<mlir::Type> types);

/// Returns the stand-in in a module that `makeStandIn` made.
mlir::Operation *standInOf(mlir::ModuleOp module);

/// Whether `op` stands for an op that means something to us, and not for one with a reference.
bool standsForKnownOp(mlir::Operation *op);

/// Replaces each stand-in of `module` by the op it stands for, on the tensors that it has there.
/// Fails after a diagnostic where the op cannot be on them.
mlir::LogicalResult replaceSubjects(mlir::ModuleOp module);

} // namespace spmd
