// Moves of one axis for a whole segment of a plan.
//
// A segment is a run of connected ops that do not multiply: they follow the products around them,
// and to change one of them alone only adds moves. A segment move takes one axis off all values of
// the segment, and puts it on one class of dims instead: dims that the ops split together.
//
//     add, gelu, multiply: [{"x"}, {}]    take "x" from the rows to the columns    [{}, {"x"}]
#pragma once

#include "spmd/ir/planner/Descent.h"

namespace spmd {

class Segments {
public:
  Segments(const DecisionGraph &graph, PlanState &state, Descent &descent);

  /// Tries all moves of all segments once, and keeps those that lower the cost. Returns how many it
  /// kept.
  int improve();

private:
  struct Segment {
    std::vector<int32_t> nodes;
    std::vector<int32_t> classes; ///< Of dims: the most frequent ones.
  };

  void findClasses();
  void findSegments();
  int32_t classOf(int32_t n, const OptionSet::Place &place) const;
  /// Returns the option that node `n` has once `axis` is moved; -1 if there is none.
  int32_t moved(int32_t n, int32_t axis, int32_t toClass, bool last);
  bool attempt(const Segment &segment, int32_t axis, int32_t toClass, bool last);
  double costOf(const std::vector<int32_t> &nodes);

  const DecisionGraph &graph;
  PlanState &state;
  Descent &descent;
  std::vector<int32_t> firstPlace; ///< By value: the number of its dim 0 in `classes`.
  std::vector<int32_t> classes;    ///< By dim of a value.
  std::vector<Segment> segments;
  std::vector<uint32_t> seen; ///< By value: the last attempt that counted it.
  uint32_t numAttempts = 0;
};

} // namespace spmd
