// What is moved once for all turns of a loop, so that a move of it counts as one outside.
//
//     while(%w = %a) { .. dot %x, %w .. return %w }      a gather of %w is made before the loop
//
// Where nobody knows how often a loop turns, all in it counts once anyhow.
#pragma once

#include "spmd/dialect/partitioning/Unchanging.h"
#include "spmd/passes/Options.h"

namespace spmd {

class BeforeLoops {
public:
  explicit BeforeLoops(StrategyCache &strategies) : strategies(strategies) {}

  /// Returns what `loop` gets in `flow` and hands on as it is, if all of that may be held in front
  /// of it, else null: what was returned so far and this one take no more bytes than moves may by
  /// which the reshard stage makes loops hold more. Null, too, for what is read by index, such as
  /// the weights of all layers: a turn moves the part that it reads. Linear in the uses.
  mlir::Value heldFor(DataFlow loop, const Flow &flow);

private:
  StrategyCache &strategies;
  uint64_t bytesLeft = defaultBucketBytes;
};

} // namespace spmd
