#include "spmd/ir/planner/Planner.h"

#include "spmd/ir/planner/Descent.h"
#include "spmd/ir/planner/Messages.h"
#include "spmd/ir/planner/Segments.h"

namespace spmd {

/// Descent ends by itself after a few sweeps; this bounds the time of the worst case.
constexpr int mostSweeps = 12;

/// Rounds of segment moves. No test program keeps any move after the third.
constexpr int mostRounds = 4;

/// Returns a plan that no single node and no segment improves, from the start that messages give.
static PlanOfOptions decide(const DecisionGraph &graph, MoveMatrices &matrices, Flows flows) {
  PlanState state(graph);
  state.setAll(passMessages(graph, matrices, flows));
  Descent descent(graph, state);
  descent.run(mostSweeps);
  Segments segments(graph, state, descent);
  for (int round = 0; round < mostRounds && segments.improve() > 0; ++round)
    descent.run(mostSweeps);
  return {state.options(), state.total()};
}

PlanOfOptions decide(const DecisionGraph &graph) {
  MoveMatrices matrices(graph.table);
  PlanOfOptions best = decide(graph, matrices, Flows::declared);
  if (!graph.hasFlows())
    return best;
  PlanOfOptions other = decide(graph, matrices, Flows::free);
  return other.cost < best.cost ? other : best;
}

} // namespace spmd
