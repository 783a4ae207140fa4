// Decides how all ops of a graph run, and so where data moves.
#pragma once

#include "spmd/ir/planner/DecisionGraph.h"

namespace spmd {

/// A plan: the option of each node.
struct PlanOfOptions {
  std::vector<int32_t> options;
  double cost = 0; ///< In bytes on the wire.
};

/// Returns the best plan found: messages give a start, coordinate descent improves it.
/// Deterministic; ties go to the option that comes first.
PlanOfOptions decide(const DecisionGraph &graph);

} // namespace spmd
