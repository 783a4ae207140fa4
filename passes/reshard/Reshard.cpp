// The pass `spmd-reshard`: every move of data becomes explicit.

#include "spmd/dialect/spmd/PartitionedModule.h"
#include "spmd/passes/Passes.h"
#include "spmd/passes/reshard/Resharder.h"

namespace spmd {

#define GEN_PASS_DEF_RESHARDPASS
#include "spmd/passes/Passes.h.inc"

namespace {

struct ReshardPass : impl::ReshardPassBase<ReshardPass> {
  using ReshardPassBase::ReshardPassBase;

  void runOnOperation() override {
    if (mlir::failed(verifyIsWhole(getOperation(), getArgument())) ||
        mlir::failed(reshardModule(getOperation(), {onMissing, onNoRule, hoist})))
      signalPassFailure();
  }
};

} // namespace
} // namespace spmd
