// From global shapes to local ones: the program of one device.
#pragma once

#include "spmd/passes/Options.h"
#include "spmd/passes/partition/Situations.h"

namespace spmd {

/// Rewrites the module of `situation`, whose moves of data are all explicit, in place: every value
/// gets its local type, every `sdy.reshard` becomes collectives and local moves, padding is masked
/// where an op reads it. The situation is none of the module any more.
///
/// Requires what the reshard stage ensures, and bodies that say nothing of shardings. Fails after
/// reporting every value without a sharding, as `onMissing` says, or every op that cannot be split
/// so.
mlir::LogicalResult partitionModule(ModuleSituation &situation,
                                    OnMissing onMissing = OnMissing::error);

} // namespace spmd
