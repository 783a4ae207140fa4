// Rules of custom calls that a plan brings along.
#pragma once

#include "spmd/dialect/spmd/FileReporter.h"
#include "spmd/ir/plan/Plan.h"

#include "mlir/IR/BuiltinOps.h"

namespace spmd {

/// Attaches to each custom call of `module` the rule that `plan` has for its target, with the sizes
/// of its tensors, in place of one that it has. Reports rules that do not fit a call, and those for
/// targets that nothing calls.
void attachRules(mlir::ModuleOp module, const ProgramPlan &plan, FileReporter &reporter);

} // namespace spmd
