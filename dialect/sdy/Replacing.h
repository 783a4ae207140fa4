// What an op is given that takes the place of another one.
#pragma once

#include "spmd/dialect/sdy/Dialect.h"

namespace spmd::sdy {

/// Returns the rule of the user's own (`custom`) that `op` has; null if it has none, or a note of
/// what somebody inferred. What changes ops for the better leaves such ones as they are.
OpShardingRuleAttr getCustomRule(mlir::Operation *op);

/// Gives `made` the discardable attributes of `replaced`. A sharding rule speaks of operands and
/// results one by one, so it goes along only where their types are the same, but for sizes that are
/// known of one alone and operands at the end that `made` does without. Warns if one of the user's
/// does not.
void giveAttributes(mlir::Operation *made, mlir::Operation *replaced);

/// Warns that a rule of the user's own is dropped, if `replaced` has one: it says nothing of the
/// ops that take its place.
void warnOfDroppedRule(mlir::Operation *replaced);

} // namespace spmd::sdy
