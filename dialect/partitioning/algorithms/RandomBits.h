// Random bits from counters, as arithmetic: what a device needs of `rng_bit_generator`, whose
// result is cut in any way, from the places of its elements in the whole.
#pragma once

#include "spmd/dialect/partitioning/Localizer.h"
#include "spmd/dialect/stablehlo/Dialect.h"

namespace spmd {

/// Whether each element follows from the state and its place: a state of two 64-bit words, or
/// three for Philox, and elements of one word or less.
bool countsElements(stablehlo::RngBitGeneratorOp op);

/// Replaces `op`, whose bits are cut, by the bits of the device's shard and the state behind all
/// bits of the whole.
void makeShardOfBits(Localizer &localizer, stablehlo::RngBitGeneratorOp op);

} // namespace spmd
