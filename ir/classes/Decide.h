// Decides conflict groups by what the whole graph then costs.
//
// The candidates of a group are: one of its labels first, with others as they are or in order as
// fallback; that label only; no dim at all. Where claims for a class have its axes in two orders,
// both are tried. Groups of one signature are judged by the first of them
// and decided together, those of the most bytes first, until no candidate makes the plan cheaper. A
// decision that turns out to cost more once all of them follow is taken back. So the plan only
// ever becomes cheaper, and pinned values never change.
#pragma once

#include "spmd/ir/graph/History.h"

#include <memory>

namespace spmd {

/// What was decided for groups alike.
struct Decision {
  int32_t mesh, axis;
  double gain; ///< In seconds of the cost model, of all these groups.
  int32_t numGroups;
};

struct Decisions {
  std::vector<Decision> all;
  /// For each value the last decision that changed it, or ShardGraph::none. Empty if there is none.
  std::vector<int32_t> ofValue;
  /// Values whose shardings are not what they were, free ones first.
  std::vector<int32_t> changed;
  /// What the plan costs then, in seconds more than before the decider's first decision.
  double level = 0;
};

/// What plans differ in by fewer seconds is rounding.
constexpr double leastGain = 1e-12;

/// Decides the conflicts of one graph, again after every change. What it learns about costs stays.
class ConflictDecider {
public:
  /// Collects the classes of `graph` and what its pinned shardings claim, which is best done before
  /// anything is inferred: pinned dims may grow. All of these must outlive this.
  ConflictDecider(ShardGraph &graph, const std::vector<bool> &isFree, const ValueUses &uses);
  ~ConflictDecider();

  /// Changes the shardings of values where a group is better off otherwise than in the plan that
  /// the graph holds. What a decision takes of an axis from a value is left in its `replicated`
  /// list, so that propagation does not bring it back. Values that change are inferred. After a
  /// decision free values are unspecified again: they follow what is made of them. What changes is
  /// added to `history`, if there is one.
  Decisions decide(History *history = nullptr);

  /// Takes what decisions have left without support, see Support.h. Returns what changed, free ones
  /// too, which are unspecified again if anything did.
  std::vector<int32_t> dropUnsupported(const std::vector<bool> &isDecided, History *history);

  /// Returns what the plan that the graph holds now costs, in seconds more than the one before the
  /// first decision; 0 as long as there was none. The graph may change again only by what is
  /// decided or dropped next, and what that spreads. Takes time in the graph.
  double levelNow();

private:
  class Impl;
  std::unique_ptr<Impl> impl;
};

} // namespace spmd
