// From global shapes to local ones: the program of one device.
#pragma once

#include "spmd/passes/Options.h"

#include "mlir/IR/BuiltinOps.h"

namespace spmd {

/// Rewrites `module`, whose moves of data are all explicit, in place: every value gets its local
/// type, every `sdy.reshard` becomes collectives and local moves, padding is masked where an op
/// reads it.
///
/// Requires what the reshard stage ensures. Fails after reporting every value without a sharding,
/// as `onMissing` says, or every op that cannot be split so.
mlir::LogicalResult partitionModule(mlir::ModuleOp module, OnMissing onMissing = OnMissing::error);

} // namespace spmd
