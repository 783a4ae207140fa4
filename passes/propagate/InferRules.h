// The policy `on-no-rule=infer-from-users`.
#pragma once

#include "spmd/passes/Options.h"

#include "mlir/IR/BuiltinOps.h"

namespace spmd {

/// Gives custom calls of `module` that nobody has a rule of the one that their users ask for
/// (AssumedRule.h), if any: what propagation finds for their results where nothing passes through
/// them. Takes as long as propagation, a few times: once more for each chain of such calls with
/// other ops in between, of which 16 are followed.
void inferRulesFromUsers(mlir::ModuleOp module, Conflicts conflicts, Hints hints);

} // namespace spmd
