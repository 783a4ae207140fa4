// The pass `spmd-propagate`: from a few annotations to a sharding on every value.

#include "spmd/dialect/sdy/InlineComputations.h"
#include "spmd/dialect/spmd/DataFlow.h"
#include "spmd/dialect/spmd/Sizes.h"
#include "spmd/passes/Passes.h"
#include "spmd/passes/propagate/Donations.h"
#include "spmd/passes/propagate/Flags.h"
#include "spmd/passes/propagate/LoopPins.h"
#include "spmd/passes/propagate/UnreadShardings.h"

namespace spmd {

#define GEN_PASS_DEF_PROPAGATEPASS
#include "spmd/passes/Passes.h.inc"

namespace {

struct PropagatePass : impl::PropagatePassBase<PropagatePass> {
  using PropagatePassBase::PropagatePassBase;

  void runOnOperation() override {
    warnOfUnreadShardings(getOperation());
    if (mlir::failed(verifySizes(getOperation())))
      return signalPassFailure();
    sdy::inlineNamedComputations(getOperation());
    clearScalarBodies(getOperation());
    mlir::FailureOr<std::unique_ptr<ProgramGraph>> program = ProgramGraph::build(getOperation());
    if (mlir::failed(program))
      return signalPassFailure();
    propagate((*program)->graph);
    alignDonations(**program);
    remarkMovedCarries(**program);
    std::vector<Knowledge> knowledge = classify((*program)->graph, (*program)->freeValues());
    if (mlir::failed(reportMissing(**program, knowledge, onMissing)))
      return signalPassFailure();
    writeBack(**program, knowledge, onMissing == OnMissing::replicate);
  }
};

} // namespace
} // namespace spmd
