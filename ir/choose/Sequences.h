// Axes that split a sequence, though they lie along the first dim as those of a batch do.
//
// The rows of a batch have nothing to do with each other. Those of a sequence meet in attention,
// where one product takes rows of both operands that are the same rows of one value before it:
//
//     x [s, b, d] -> q [s, b, h, k], k [t, b, h, k] -> q . k [b, h, s, t]     s and t: rows of x
//
// Products without a batch dim do not count: a contrastive loss multiplies a batch by itself.
#pragma once

#include "spmd/ir/choose/Timing.h"

namespace spmd {

/// Drops the axes of `axes` along which a sequence is split. Linear in the graph, and in its rules
/// alone where no product has rows of one size on both sides that are pinned along such an axis.
void dropSequences(SteadyAxes &axes, const ShardGraph &graph, const Timing &timing);

} // namespace spmd
