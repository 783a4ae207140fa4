// Gathers of one value that is turned before some of them: what one gives, turned, is what another
// gives.
//
//     all_gather(transpose(x)), all_gather(x)    =>    transpose(all_gather(x))
//
// A product of a value and itself, the other way round, reads it both ways.
#pragma once

#include "spmd/dialect/stablehlo/Dialect.h"

#include <map>

namespace spmd {

/// Finds gathers of one block that give the same but for the order of dims.
class TurnedGathers {
public:
  /// Returns the op that gives what `gather` gives: `gather` itself if it is the first to gather
  /// the like, else an earlier one or what turns it, made where `gather` stands.
  mlir::Operation *firstTurned(stablehlo::AllGatherOp gather);

private:
  /// What is gathered, along which of its dims; the groups, the channel and what ids mean.
  using Key = std::tuple<const void *, int64_t, const void *, const void *, const void *>;
  /// What a gather gives, and which dim of the value before it was turned each dim is.
  struct Gathered {
    stablehlo::AllGatherOp gather;
    llvm::SmallVector<int64_t> dims;
  };

  std::map<Key, Gathered> known; ///< Only looked up, never walked.
};

} // namespace spmd
