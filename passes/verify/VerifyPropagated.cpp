// The pass `spmd-verify-propagated`: every value has a sharding, and branches of manual
// computations are taken by all.

#include "spmd/dialect/partitioning/Partitionable.h"
#include "spmd/dialect/spmd/DataFlow.h"
#include "spmd/passes/Passes.h"
#include "spmd/passes/verify/Guards.h"

namespace spmd {

#define GEN_PASS_DEF_VERIFYPROPAGATEDPASS
#include "spmd/passes/Passes.h.inc"

namespace {

struct VerifyPropagatedPass : impl::VerifyPropagatedPassBase<VerifyPropagatedPass> {
  void runOnOperation() override {
    if (ShardingCodec(getOperation()).mainMesh() < 0)
      return; // A program for one device.
    bool failed = false;
    std::vector<DataFlow> computations;
    auto check = [&](mlir::Value value) {
      mlir::RankedTensorType type = tensorTypeOf(value);
      if (!type || type.getRank() == 0 || shardingOf(value))
        return;
      mlir::emitError(value.getLoc())
          << describeValue(value) << " has no sharding after propagation";
      failed = true;
    };
    for (auto func : getOperation().getOps<mlir::func::FuncOp>()) {
      if (!isRun(func))
        continue;
      for (mlir::BlockArgument argument : func.getArguments())
        check(argument);
      walkDataFlow(func, [&](mlir::Operation *op) {
        for (mlir::Value result : op->getResults())
          check(result);
        if (isOutermostManual(op))
          computations.push_back(llvm::cast<DataFlow>(op));
      });
    }
    warnOfGuards(getOperation(), computations);
    if (failed)
      signalPassFailure();
  }
};

} // namespace
} // namespace spmd
