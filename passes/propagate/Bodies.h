// The functions of a module as bodies of a ProgramGraph.
#pragma once

#include "spmd/passes/propagate/ProgramGraph.h"

namespace spmd {

/// Adds a body for each function of `module` that has one, in program order: its tensors, rules,
/// edges and calls. Fails after reporting every value whose type has a dynamic dim. Linear.
mlir::LogicalResult addBodies(mlir::ModuleOp module, const FirstLook &look, bool keepsOrigins,
                              ProgramGraph &program);

} // namespace spmd
