// The pass `spmd-optimize`: fewer and smaller collectives.

#include "spmd/dialect/stablehlo/Dialect.h"
#include "spmd/passes/Passes.h"
#include "spmd/passes/optimize/Optimize.h"

namespace spmd {

#define GEN_PASS_DEF_OPTIMIZEPASS
#include "spmd/passes/Passes.h.inc"

namespace {

struct OptimizePass : impl::OptimizePassBase<OptimizePass> {
  using OptimizePassBase::OptimizePassBase;

  void runOnOperation() override {
    ModuleCollectives found(getOperation());
    if (onceOnly)
      doMovesOnce(found);
    else
      doLess(found);
    if (mlir::failed(writeGroups(found, groups)))
      signalPassFailure();
  }

private:
  /// What moves, and as what, stays as it was planned.
  void doMovesOnce(ModuleCollectives &found) {
    reduceAfterLoops(found, hoist);
    hoistMoves(found, hoist);
    shareEqualCollectives(found, gathers);
    sharePermutedPieces(found);
    mergePermutes(found);
  }

  void doLess(ModuleCollectives &found) {
    collectBeforeReducing(found);
    reduceAfterLoops(found, hoist);
    hoistMoves(found, hoist);
    narrowMoves(found);
    shareEqualCollectives(found, gathers);
    simplifyPairs(found);
    formReduceScatters(found);
    reduceOnce(found);
    sharePermutedPieces(found);
    mergePermutes(found);
    if (overlap)
      overlapDots(getOperation());
    if (gathers == Gathers::recompute)
      gatherForEachUser(getOperation());
    // Pieces, and what is gathered for each reader, stand where they shall be.
    bool isFree = !overlap && gathers != Gathers::recompute;
    if (!isFree)
      found.findAgain();
    if (bucketBytes > 0)
      mergeCollectives(found, bucketBytes, isFree ? MergeOrder::any : MergeOrder::asWritten);
    if (gathers == Gathers::share)
      holdGathers(found);
    waitBehindBarriers(found);
    shareSpread(getOperation());
  }
};

} // namespace
} // namespace spmd
