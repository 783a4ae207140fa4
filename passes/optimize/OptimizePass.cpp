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
    shareEqualCollectives(getOperation());
    formReduceScatters(getOperation());
    mergePermutes(getOperation());
    if (overlap)
      overlapDots(getOperation());
    if (bucketBytes > 0)
      mergeAllReduces(getOperation(), bucketBytes);
    if (mlir::failed(writeGroups(getOperation(), groups)))
      signalPassFailure();
  }
};

} // namespace
} // namespace spmd
