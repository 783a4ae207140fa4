// The pass `spmd-verify-resharded`: each op's operands and results fit one split of its rule.

#include "spmd/passes/Passes.h"
#include "spmd/passes/partition/Situations.h"

namespace spmd {

#define GEN_PASS_DEF_VERIFYRESHARDEDPASS
#include "spmd/passes/Passes.h.inc"

namespace {

struct VerifyReshardedPass : impl::VerifyReshardedPassBase<VerifyReshardedPass> {
  void runOnOperation() override {
    markAllAnalysesPreserved();
    auto &situation = getAnalysis<ModuleSituation>();
    bool failed = situation.layouts.hasFailed();
    for (const FunctionSituation &function : situation.functions)
      for (const OpSituation &each : function.ops) {
        if (llvm::isa<sdy::ShardingConstraintOp>(each.op)) {
          each.op->emitOpError("is still there after resharding");
          failed = true;
        }
        if (each.hasRule && !each.split) {
          ModuleSituation::reportNoSplit(each.op);
          failed = true;
        }
      }
    if (failed)
      signalPassFailure();
  }
};

} // namespace
} // namespace spmd
