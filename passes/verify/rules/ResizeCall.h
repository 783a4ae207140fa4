// Calls with a rule of their user's (CustomRule.h) on tensors of other sizes.
#pragma once

#include "spmd/dialect/partitioning/CustomRule.h"
#include "spmd/passes/verify/rules/SmallTypes.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace spmd {

/// Returns the factors of `rule` that are split only where the devices divide them: those it calls
/// even, those that rings go along or attributes count, and those of dims of several factors.
std::vector<bool> evenFactors(const CustomRule &rule);

/// Returns `call`, whose rule is `rule`, on the tensors of `sized`, in a module of its own with the
/// functions that it names; `standInOf` finds it there. Attributes that count rows of a factor
/// follow. Null if it has no reference, which alone tells what it computes on these, or if an
/// attribute or a constant operand says more than a size that can follow.
mlir::OwningOpRef<mlir::ModuleOp> resizeCall(mlir::Operation *call, const CustomRule &rule,
                                             const SizedOp &sized);

} // namespace spmd
