// Moves of one axis for a whole segment of a plan.
//
// A segment is a run of connected ops that do not multiply: they follow the products around them,
// and to change one of them alone only adds moves. A segment move takes one axis off all values of
// the segment, and puts it on one class of dims instead: dims that the ops split together.
//
//     add, gelu, multiply: [{"x"}, {}]    take "x" from the rows to the columns    [{}, {"x"}]
//
// The layers of a model are alike. If a segment and its neighbours are like an earlier segment, the
// outcome of the earlier one is applied, and no move is tried again.
#pragma once

#include "spmd/ir/planner/Descent.h"

namespace spmd {

/// Local numbers of a few nodes or values, forgotten at no cost.
class LocalNumbers {
public:
  static constexpr int32_t none = -1;

  explicit LocalNumbers(size_t count) : entries(count) {}
  void clear() { ++round; }
  /// Gives `member` a number, unless it has one. Returns whether it had none.
  bool insert(int32_t member, int32_t number) {
    bool isNew = entries[member].round != round;
    if (isNew)
      entries[member] = {round, number};
    return isNew;
  }
  int32_t at(int32_t member) const {
    return entries[member].round == round ? entries[member].number : none;
  }

private:
  struct Entry {
    uint32_t round = 0; ///< In which the number holds.
    int32_t number = none;
  };
  std::vector<Entry> entries;
  uint32_t round = 1;
};

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

  /// The nodes that the kept moves of a segment changed.
  struct Outcome {
    std::vector<std::pair<size_t, int32_t>> changes; ///< Places in `reach`, and options.
    int numKept = 0;
  };

  void findClasses();
  void findSegments();
  int32_t classOf(int32_t n, const OptionSet::Place &place) const {
    int32_t v = graph.valueOf(n, place.tensor);
    return v == DecisionGraph::none ? DecisionGraph::none : classes[firstPlace[v] + place.dim];
  }
  int32_t dimOf(int32_t v, int32_t ofClass) const;

  int improve(const Segment &segment);
  void describe(const Segment &segment);
  /// Returns the nodes that make or read the values of `nodes`, in program order.
  std::vector<int32_t> neighboursOf(const std::vector<int32_t> &nodes);

  /// Returns the option that node `n` has once `axis` is moved; -1 if there is none.
  int32_t moved(int32_t n, int32_t axis, int32_t toClass, bool last);
  /// Moves it to the dims `dims` of the tensors of the node.
  int32_t computeMoved(int32_t n, int32_t axis, absl::Span<const int32_t> dims, bool last) const;
  bool attempt(const Segment &segment, int32_t axis, int32_t toClass, bool last);
  double costOf(const std::vector<int32_t> &nodes);

  const DecisionGraph &graph;
  PlanState &state;
  Descent &descent;
  std::vector<int32_t> firstPlace; ///< By value: the number of its dim 0 in `classes`.
  std::vector<int32_t> classes;    ///< By dim of a value.
  std::vector<Segment> segments;

  std::vector<int32_t> reach;    ///< The nodes that a segment may change, in program order.
  KeyNumbers situations;         ///< Of segments, with all that they may change.
  std::vector<Outcome> outcomes; ///< By situation.
  LocalNumbers nodeNumbers, valueNumbers; ///< In the situation.
  LocalNumbers changed, priced;           ///< Nodes and values, in an attempt.
  std::vector<int32_t> key;
  KeyNumbers moves;                  ///< What `moved` was asked for.
  std::vector<int32_t> movedOptions; ///< By number of the key.
};

} // namespace spmd
