#include "spmd/passes/propagate/Spread.h"

#include "spmd/dialect/sdy/InlineComputations.h"
#include "spmd/dialect/spmd/DataFlow.h"
#include "spmd/dialect/spmd/PartitionedModule.h"
#include "spmd/dialect/spmd/Sizes.h"
#include "spmd/ir/classes/Decide.h"
#include "spmd/passes/propagate/Donations.h"
#include "spmd/passes/propagate/Engine.h"
#include "spmd/passes/propagate/UnreadShardings.h"

namespace spmd {

/// Deciding and spreading what was decided take turns; after so many little is left.
constexpr int maxTurns = 4;

static std::vector<int32_t> pinnedShardings(const ShardGraph &graph) {
  std::vector<int32_t> pinned;
  for (int32_t v = 0; v < graph.numValues(); ++v)
    if (graph.value(v).state == ShardingState::pinned)
      pinned.push_back(graph.value(v).sharding);
  return pinned;
}

static void settle(ShardGraph &graph, ConflictDecider &decider, History *history) {
  for (int turn = 0; turn < maxTurns; ++turn) {
    Decisions decisions = decider.decide(history);
    if (decisions.all.empty())
      return;
    propagateFrom(graph, decisions.changed, history);
  }
}

/// Rounds first; where they leave a conflict that is better decided otherwise, rounds go on from
/// there. What they spread may open or settle another conflict. Pinned dims that are open may have
/// grown, and then claim more than at first: as they do when the outcome is read again.
void spread(ShardGraph &graph, const std::vector<bool> &isFree, Conflicts conflicts,
            History *history) {
  if (conflicts == Conflicts::shardy)
    return propagate(graph, history);
  std::vector<int32_t> claims;
  for (int repeat = 0; repeat < maxTurns && pinnedShardings(graph) != claims; ++repeat) {
    claims = pinnedShardings(graph);
    ConflictDecider decider(graph, isFree);
    if (repeat == 0)
      propagate(graph, history);
    settle(graph, decider, history);
  }
}

mlir::FailureOr<std::unique_ptr<ProgramGraph>>
propagateModule(mlir::ModuleOp module, Conflicts conflicts, History *history) {
  if (module->hasAttr(partitionedAttrName))
    return module->emitError() << "module is the program of one device already ('"
                               << partitionedAttrName << "'); spmd-run executes it as it is";
  warnOfUnreadShardings(module);
  if (mlir::failed(verifySizes(module)))
    return mlir::failure();
  sdy::inlineNamedComputations(module);
  clearScalarBodies(module);
  mlir::FailureOr<std::unique_ptr<ProgramGraph>> program = ProgramGraph::build(module);
  if (mlir::failed(program))
    return mlir::failure();
  spread((*program)->graph, (*program)->freeValues(), conflicts, history);
  alignDonations(**program, history);
  return program;
}

} // namespace spmd
