// The numbers of `rng`, as arithmetic on bits: what a device needs of a result that is cut.
//
// All numbers of one execution follow from a seed, which is drawn by the op itself, the same on
// every device, and from their places in the whole. The interpreter's kernel of `rng` makes the
// same numbers (lowering/interpreter/kernels/RandomKernels.cpp).
#pragma once

#include "spmd/dialect/partitioning/Localizer.h"
#include "spmd/dialect/stablehlo/Dialect.h"

namespace spmd {

/// Whether each number follows from a seed and its place: integers of whole bytes, truth values
/// and usual floats, unless they have the type of a seed, which follows from nothing.
bool countsNumbers(stablehlo::RngOp op);

/// Replaces `op`, whose numbers are cut, by those of the device's shard.
void makeShardOfNumbers(Localizer &localizer, stablehlo::RngOp op);

} // namespace spmd
