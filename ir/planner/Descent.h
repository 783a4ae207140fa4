// Coordinate descent: each node in turn takes the option that is best as the others stand.
//
// The best option of a node depends on the layouts around it alone. The answers are cached, so that
// repeated layers are searched once.
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
  struct Surrounding {
    int32_t value, tensor;
    bool isMade;                 ///< By the node, which else reads it.
    std::vector<int32_t> wanted; ///< By the other users, sorted, without repetitions.
  };

  int32_t best(int32_t n);
  void lookAround(int32_t n);
  double costOf(int32_t n, int32_t option);

  const DecisionGraph &graph;
  PlanState &state;
  std::vector<Surrounding> around;
  size_t numAround = 0;
  KeyNumbers keys;
  std::vector<int32_t> answers; ///< By number of the key.
  std::vector<int32_t> key, wanted;
};

} // namespace spmd
