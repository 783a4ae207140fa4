// The steps of ops: what their tensors learn from each other at one visit.
//
// A step is a function of the op's rule, the shardings around it and the round, so it is computed
// once for each distinct combination and looked up for all ops alike.
#pragma once

#include "spmd/ir/graph/KeyNumbers.h"
#include "spmd/ir/graph/ShardGraph.h"

#include <optional>

namespace spmd {

/// The steps of the ops of one graph, by number.
class Steps {
public:
  static constexpr int numRounds = 5; ///< As Engine.h has them.

  /// `graph` must outlive this. With `unanimous`, a step takes along a factor only what none of the
  /// op's tensors objects to, and weighs tensors by elements.
  Steps(ShardGraph &graph, bool unanimous);

  /// Whether ops of a rule are visited from the start.
  bool isLight(int32_t rule) const { return ruleKinds[rule].isLight; }

  /// Returns the last round in which steps by a rule are as in this one: tensors learn in the same
  /// directions along the same factors.
  int8_t sameUntil(int32_t rule, int round) const { return ruleKinds[rule].sameUntil[round]; }

  /// Returns the number of the step that `op` takes now; none if nothing is known of its tensors.
  int32_t numberOf(const ShardGraph::Op &op, int round);

  /// Returns the shardings of an op's tensors after a step; none if no one learns. Valid until the
  /// next step is asked for.
  absl::Span<const int32_t> after(int32_t step) const { return steps[step].after; }

  /// Returns the sharding that tensor `t` had of the op whose step was asked for last.
  int32_t before(size_t t) const { return key[2 * t + 1]; }

  /// Whether `op`, which took this step, would do nothing now if it were visited again. That is the
  /// same for all that lie as the step says, and found once.
  bool isLast(int32_t step, const ShardGraph::Op &op, int round);

private:
  struct RuleKind {
    bool isLight, isBroadcast;
    int8_t sameUntil[numRounds];
  };

  struct Step {
    absl::InlinedVector<int32_t, 4> after; ///< None if no one learns.
    std::optional<bool> isLast = {};       ///< No other follows it; if that was asked.
  };

  void classifyRules();
  void findHandedOn();
  absl::InlinedVector<int32_t, 4> compute(const ShardGraph::Op &op, int round);

  ShardGraph &graph;
  bool unanimous;
  std::vector<RuleKind> ruleKinds;
  /// By value, whether only light ops are on the way from it to results of functions.
  std::vector<uint8_t> isHandedOn;
  std::vector<int32_t> kinds; ///< By value: equal for equal shape, element size and `isHandedOn`.
  std::vector<int32_t> key;   ///< Of the step that was asked for last, and more room.
  KeyNumbers numbers;
  std::vector<Step> steps;
};

} // namespace spmd
