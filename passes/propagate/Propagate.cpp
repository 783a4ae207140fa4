// The pass `spmd-propagate`: from a few annotations to a sharding on every value.

#include "spmd/dialect/sdy/InlineComputations.h"
#include "spmd/dialect/spmd/DataFlow.h"
#include "spmd/dialect/spmd/Donation.h"
#include "spmd/dialect/spmd/PartitionedModule.h"
#include "spmd/dialect/spmd/Sizes.h"
#include "spmd/ir/classes/Decide.h"
#include "spmd/passes/Passes.h"
#include "spmd/passes/propagate/Donations.h"
#include "spmd/passes/propagate/Flags.h"
#include "spmd/passes/propagate/Hints.h"
#include "spmd/passes/propagate/LoopPins.h"
#include "spmd/passes/propagate/UnreadShardings.h"

namespace spmd {

#define GEN_PASS_DEF_PROPAGATEPASS
#include "spmd/passes/Passes.h.inc"

namespace {

/// Deciding and spreading what was decided take turns; after so many little is left.
constexpr int maxTurns = 4;

struct PropagatePass : impl::PropagatePassBase<PropagatePass> {
  using PropagatePassBase::PropagatePassBase;

  void runOnOperation() override {
    if (getOperation()->hasAttr(partitionedAttrName)) {
      getOperation()->emitError() << "module is the program of one device already ('"
                                  << partitionedAttrName << "'); spmd-run executes it as it is";
      return signalPassFailure();
    }
    warnOfUnreadShardings(getOperation());
    if (mlir::failed(verifySizes(getOperation())) || mlir::failed(checkDonations(getOperation())))
      return signalPassFailure();
    sdy::inlineNamedComputations(getOperation());
    clearScalarBodies(getOperation());
    mlir::FailureOr<std::unique_ptr<ProgramGraph>> program = ProgramGraph::build(getOperation());
    if (mlir::failed(program))
      return signalPassFailure();
    spread((*program)->graph, (*program)->freeValues());
    if (hints == Hints::use)
      takeHints(**program);
    dropHints(**program);
    alignDonations(**program);
    remarkMovedCarries(**program);
    std::vector<Knowledge> knowledge = classify((*program)->graph, (*program)->freeValues());
    if (mlir::failed(reportMissing(**program, knowledge, onMissing)))
      return signalPassFailure();
    writeBack(**program, knowledge, onMissing == OnMissing::replicate);
  }

private:
  /// Rounds first; where they leave a conflict that is better decided otherwise, rounds go on from
  /// there. What they spread may open or settle another conflict. Pinned dims that are open may
  /// have grown, and then claim more than at first: as they do when the outcome is read again.
  void spread(ShardGraph &graph, const std::vector<bool> &isFree) {
    if (conflicts == Conflicts::shardy)
      return propagate(graph);
    std::vector<int32_t> claims;
    for (int repeat = 0; repeat < maxTurns && pinnedShardings(graph) != claims; ++repeat) {
      claims = pinnedShardings(graph);
      ConflictDecider decider(graph, isFree);
      if (repeat == 0)
        propagate(graph);
      settle(graph, decider);
    }
  }

  /// What hints spread may open a conflict, too, which is decided as any other.
  void takeHints(ProgramGraph &program) {
    std::vector<int32_t> changed = applyHints(program);
    if (changed.empty())
      return;
    propagateFrom(program.graph, changed);
    if (conflicts == Conflicts::shardy)
      return;
    ConflictDecider decider(program.graph, program.freeValues());
    settle(program.graph, decider);
  }

  static void settle(ShardGraph &graph, ConflictDecider &decider) {
    for (int turn = 0; turn < maxTurns; ++turn) {
      Decisions decisions = decider.decide();
      if (decisions.all.empty())
        return;
      propagateFrom(graph, decisions.changed);
    }
  }

  static std::vector<int32_t> pinnedShardings(const ShardGraph &graph) {
    std::vector<int32_t> pinned;
    for (int32_t v = 0; v < graph.numValues(); ++v)
      if (graph.value(v).state == ShardingState::pinned)
        pinned.push_back(graph.value(v).sharding);
    return pinned;
  }
};

} // namespace
} // namespace spmd
