// What propagation did, one entry for each time that a value's sharding changed.
//
// Kept only where someone will ask: two numbers and a few bits an entry, no text. `ir/explain`
// makes sense of it.
#pragma once

#include "spmd/ir/graph/ShardGraph.h"

namespace spmd {

/// One change of one value's sharding.
struct Change {
  enum class Cause : uint8_t {
    step,     ///< The step of an op.
    decision, ///< A conflict group was decided.
    forgot,   ///< A decision changed what it came from, or, of a constant, what is made of it.
    hidden,   ///< Dims of a lower user priority were put aside.
    revealed, ///< Their priority came up.
    hint,     ///< An earlier pass left it there.
    donation, ///< A result lies as the argument that it takes the memory of, or the other way
              ///< round.
    evened    ///< An argument or result kept of its axes what splits it evenly.
  };

  int32_t value;
  int32_t before, after; ///< Shardings of the graph; ShardGraph::none for none.
  /// Of a step, the op; of a decision, its index; of a donation, the other one.
  int32_t cause = ShardGraph::none;
  /// Changes of one step have the same number; it counts the steps that changed anything.
  int32_t step = 0;
  Cause kind;
  /// Of a step: 0 to 4, see passes/propagate/Engine.h.
  int8_t round = 0;
};

/// What a decision about conflict groups saved.
struct DecisionNote {
  int32_t mesh, axis;
  double gain; ///< In seconds of the cost model.
  int32_t numGroups, numValues;
};

/// The changes in the order in which they were made.
struct History {
  std::vector<Change> changes;
  std::vector<DecisionNote> decisions;
  int32_t numSteps = 0;
  bool unanimous = false; ///< Steps were taken with `StepScope::unanimous`.
};

} // namespace spmd
