// Coordinate descent: each node in turn takes the option that is best as the others stand.
//
// The best option of a node depends on the layouts around it alone. The answers are cached, so that
// repeated layers are searched once. A search tries options in the order of their lower bounds,
// which need no plans of moves, until the next bound exceeds the best cost.
#pragma once

#include "spmd/ir/planner/DecisionGraph.h"

namespace spmd {

class Descent {
public:
  Descent(const DecisionGraph &graph, PlanState &state) : graph(graph), state(state) {}

  /// Visits all nodes forward and backward in turn, until none changes or `mostSweeps` are done.
  void run(int mostSweeps);

  /// Lets node `n` take its best option. Returns whether it changed.
  bool improve(int32_t n);

private:
  /// A value that a node makes or reads.
  struct Surrounding {
    int32_t value, tensor;
    bool isMade;                 ///< By the node, which else reads it.
    std::vector<int32_t> wanted; ///< By the other users, sorted, without repetitions.
    int32_t prices;              ///< Number of its prices.
  };

  /// What the moves of a value cost for each layout in which a node may make or read it.
  struct Prices {
    std::vector<double> least; ///< Lower bounds.
    std::vector<double> exact; ///< Negative while unknown.
  };
  using PriceOfMoves = double (PlanState::*)(int32_t, int32_t, absl::Span<const int32_t>);

  int32_t best(int32_t n);
  int32_t search(int32_t n);
  void lookAround(int32_t n);
  int32_t pricesOf(int32_t n, const Surrounding &each);
  /// Calls `price` with the layout in which a value around a node is made and the layouts in which
  /// it is read, if the node has it in layout `own`.
  double withOwn(const Surrounding &each, int32_t own, PriceOfMoves price);
  double costOf(int32_t n, int32_t option);

  const DecisionGraph &graph;
  PlanState &state;
  std::vector<Surrounding> around;
  size_t numAround = 0;
  KeyNumbers keys;
  std::vector<int32_t> answers; ///< By number of the key.
  KeyNumbers priceKeys;
  std::vector<Prices> prices; ///< By number of the key.
  std::vector<int32_t> key, wanted;
  std::vector<double> bounds;
  std::vector<std::pair<double, int32_t>> candidates; ///< Bounds and options.
};

} // namespace spmd
