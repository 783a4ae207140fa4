// What shardings have no support any more once conflicts are decided.
//
// Rounds spread axes before conflicts are decided. A decision takes axes from the values of its
// groups, but those that had learnt from these keep theirs: gradients of weights that are pinned
// whole, split along the hidden dim as activations were at first, whose optimizer state would be
// gathered each step. What no pin and no decision supports along the factors of ops goes.
#pragma once

#include "spmd/ir/graph/History.h"

namespace spmd {

/// Takes from inferred values the axes that do not lead, from op to op, to a value that is pinned
/// or `isDecided`. Free values, which follow what is made of them, support nothing. Returns the
/// values that changed, which is added to `history`, if there is one. Dims of several factors
/// support all of these. Linear in the tensors of ops.
std::vector<int32_t> dropUnsupported(ShardGraph &graph, const ValueUses &uses,
                                     const std::vector<bool> &isFree,
                                     const std::vector<bool> &isDecided, History *history);

} // namespace spmd
