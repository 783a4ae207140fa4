// Shardy's attributes for the way through HLO.
#pragma once

#include "mlir/IR/BuiltinOps.h"

namespace spmd {

/// Does the part of `importShardings` that concerns `xla.sdy.*`.
mlir::LogicalResult importShardyAttributes(mlir::ModuleOp module);

} // namespace spmd
