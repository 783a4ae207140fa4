// Random bits from counters, as arithmetic: what a device needs of `rng_bit_generator`, whose
// result is cut in any way, from the places of its elements in the whole.
#pragma once

#include "spmd/dialect/partitioning/Localizer.h"
#include "spmd/dialect/stablehlo/Dialect.h"

namespace spmd {

/// Whether each element follows from the state and its place: a state of two 64-bit words, or
/// three for Philox, and elements of one word or less.
bool countsElements(stablehlo::RngBitGeneratorOp op);

/// The bits that Threefry or Philox makes of a state, and which of them: those of `local`, a
/// device's shard of `whole`, which is cut as `dims` says.
struct BitsOfShard {
  mlir::Value state;
  bool isThreefry;
  mlir::RankedTensorType whole, local;
  llvm::ArrayRef<DimSharding> dims;
};

/// Returns the bits, and in `nextState`, if that is asked for, the state behind all of the whole.
mlir::Value makeBits(Localizer &localizer, const BitsOfShard &bits,
                     mlir::Value *nextState = nullptr);

/// Replaces `op`, whose bits are cut, by the bits of the device's shard and the state behind all
/// bits of the whole.
void makeShardOfBits(Localizer &localizer, stablehlo::RngBitGeneratorOp op);

} // namespace spmd
