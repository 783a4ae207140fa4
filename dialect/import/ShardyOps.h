// Ops that Shardy's own passes put into a program, for their own sake.
#pragma once

#include "mlir/IR/BuiltinOps.h"

namespace spmd {

/// Takes them out: data-flow edges become what went into them, constrained to the sharding that
/// they carry, if any; `sdy.constant` becomes a plain constant. Linear.
void importShardyOps(mlir::ModuleOp module);

} // namespace spmd
