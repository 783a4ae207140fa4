// Min-sum messages: a start for the planner that looks at the whole graph at once.
//
// Each edge carries two messages. The one to a reader says, for each layout in which it may read,
// how much cheaper or dearer the part of the graph behind the edge then gets; the one to the maker
// says the same for each layout in which the value may be made. Messages go forward and backward
// through the program several times (sequential tree-reweighted message passing, TRW-S; V.
// Kolmogorov, IEEE PAMI 28(10), 2006). On a tree, the options that they lead to are optimal,
// but for rounding.
#pragma once

#include "spmd/ir/planner/DecisionGraph.h"
#include "spmd/ir/planner/MoveMatrices.h"

namespace spmd {

/// The layouts that loops and branches hand on.
enum class Flows : uint8_t {
  declared, ///< Those that propagation found: the first option of each flow.
  free      ///< Decided with everything else.
};

/// Returns one option for each node.
///
/// Messages are rounded to 12 bits, and the answer of a node to known messages is cached. Repeated
/// layers therefore cost no more than one. Deterministic.
std::vector<int32_t> passMessages(const DecisionGraph &graph, MoveMatrices &matrices, Flows flows);

} // namespace spmd
