// The pass `spmd-partition`: from global shapes to the program of one device.

#include "spmd/dialect/spmd/DataFlow.h"
#include "spmd/dialect/spmd/PartitionedModule.h"
#include "spmd/dialect/stablehlo/Dialect.h"
#include "spmd/passes/Passes.h"
#include "spmd/passes/partition/Partitioner.h"
#include "spmd/passes/refine/References.h"

namespace spmd {

#define GEN_PASS_DEF_PARTITIONPASS
#include "spmd/passes/Passes.h.inc"

namespace {

struct PartitionPass : impl::PartitionPassBase<PartitionPass> {
  using PartitionPassBase::PartitionPassBase;

  void runOnOperation() override {
    clearScalarBodies(getOperation());
    if (mlir::failed(verifyIsWhole(getOperation(), getArgument())) ||
        mlir::failed(partitionModule(getAnalysis<ModuleSituation>(), onMissing)) ||
        mlir::failed(inlineOwnReferences(getOperation())))
      return signalPassFailure();
    dropUnusedReferences(getOperation());
  }
};

} // namespace
} // namespace spmd
