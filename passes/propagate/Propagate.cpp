// The pass `spmd-propagate`: from a few annotations to a sharding on every value.

#include "spmd/dialect/import/Tuples.h"
#include "spmd/passes/Passes.h"
#include "spmd/passes/propagate/BareMarkers.h"
#include "spmd/passes/propagate/Contradictions.h"
#include "spmd/passes/propagate/Flags.h"
#include "spmd/passes/propagate/InferRules.h"
#include "spmd/passes/propagate/LoopPins.h"
#include "spmd/passes/propagate/Spread.h"
#include "spmd/passes/propagate/Unused.h"

namespace spmd {

#define GEN_PASS_DEF_PROPAGATEPASS
#include "spmd/passes/Passes.h.inc"

namespace {

struct PropagatePass : impl::PropagatePassBase<PropagatePass> {
  using PropagatePassBase::PropagatePassBase;

  void runOnOperation() override {
    flattenTuples(getOperation()); // What is in them can lie as it likes.
    if (onNoRule == OnNoRule::inferFromUsers)
      inferRulesFromUsers(getOperation(), conflicts, hints);
    History history;
    ConstantCopies copies;
    mlir::FailureOr<std::unique_ptr<ProgramGraph>> program = propagateModule(
        getOperation(), conflicts, hints, origins || edges ? &history : nullptr, &copies);
    if (mlir::failed(program))
      return signalPassFailure();
    remarkMovedCarries(**program);
    remarkMovedAtCalls(**program);
    if (mlir::failed(checkPinsOfOneDevice(**program)))
      return signalPassFailure();
    std::vector<Knowledge> knowledge =
        classify((*program)->graph, (*program)->freeValues(), *(*program)->uses);
    noteUnused(**program, knowledge);
    if (mlir::failed(reportMissing(**program, knowledge, onMissing, onNoRule, verbose)))
      return signalPassFailure();
    std::optional<Origins> knownOrigins;
    std::optional<Edges> knownEdges;
    WriteBackOptions also;
    also.replicateMissing = onMissing == OnMissing::replicate;
    if (origins)
      also.origins = &knownOrigins.emplace(**program, history);
    if (edges)
      also.edges = &knownEdges.emplace(**program, history);
    writeBack(**program, knowledge, also);
    if ((*program)->graph.hasLowerPriorities())
      getOperation()->setAttr(prioritiesServedAttrName, mlir::UnitAttr::get(&getContext()));
    if ((*program)->hasBareMarkers)
      remarkBareMarkers(getOperation());
    mergeConstants(copies);
  }
};

} // namespace
} // namespace spmd
