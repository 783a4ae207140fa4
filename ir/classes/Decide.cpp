#include "spmd/ir/classes/Decide.h"

#include "spmd/ir/classes/PlanCost.h"

#include <algorithm>
#include <numeric>
#include <optional>

namespace spmd {

namespace {

constexpr int32_t none = ShardGraph::none;

/// Gains below this many seconds are rounding.
constexpr double leastGain = 1e-12;

/// Decisions change what others gain; after so many rounds what is left is not worth the time.
constexpr int maxRounds = 4;

/// With more labels than this, only the first of an order is tried.
constexpr int32_t maxLabelsInPairs = 4;

/// A way to split the members of a group: along the first label that a member has and that fits.
struct Candidate {
  absl::InlinedVector<int32_t, 4> labels;
  bool keepsOthers = false; ///< Members with none of the labels stay as they are.
};

std::vector<Candidate> candidatesOf(const ConflictGroup &group) {
  std::vector<Candidate> candidates;
  auto startingWith = [&](absl::InlinedVector<int32_t, 4> labels) {
    for (int32_t label = 0; label < group.numLabels; ++label)
      if (std::find(labels.begin(), labels.end(), label) == labels.end())
        labels.push_back(label);
    candidates.push_back({std::move(labels)});
  };
  for (int32_t first = 0; first < group.numLabels; ++first) {
    startingWith({first});
    for (int32_t second = 0; group.numLabels <= maxLabelsInPairs && second < group.numLabels;
         ++second)
      if (second != first)
        startingWith({first, second});
    candidates.push_back({{first}, /*keepsOthers=*/true});
    candidates.push_back({{first}});
  }
  candidates.push_back({});
  return candidates;
}

class Decider {
public:
  Decider(ShardGraph &graph, const DimClasses &classes, const std::vector<bool> &isFree)
      : graph(graph), classes(classes), isFree(isFree), uses(graph),
        groups(findConflictGroups(graph, classes, isFree, uses)) {
    decisions.ofValue.assign(graph.numValues(), none);
    if (!groups.empty())
      cost.emplace(graph, isFree, uses);
  }

  Decisions run() {
    sortIntoKinds();
    bool changed = true;
    for (int round = 0; round < maxRounds && changed; ++round) {
      changed = false;
      for (const std::vector<int32_t> &kind : kinds)
        changed |= decide(kind);
    }
    if (!decisions.all.empty())
      forgetFreeValues();
    return std::move(decisions);
  }

private:
  void forgetFreeValues() {
    for (int32_t v = 0; v < graph.numValues(); ++v)
      if (isFree[v] && graph.value(v).state == ShardingState::inferred) {
        graph.value(v).state = ShardingState::unspecified;
        graph.value(v).sharding = none;
      }
  }

  /// Groups alike, those of the most bytes first.
  void sortIntoKinds() {
    absl::flat_hash_map<size_t, int32_t> kindOf;
    std::vector<double> bytes;
    for (size_t g = 0; g < groups.size(); ++g) {
      auto [kind, isNew] = kindOf.try_emplace(groups[g].signature, kinds.size());
      if (isNew) {
        kinds.emplace_back();
        bytes.push_back(0);
      }
      kinds[kind->second].push_back(g);
      bytes[kind->second] += groups[g].bytes;
    }
    std::vector<int32_t> order(kinds.size());
    std::iota(order.begin(), order.end(), 0);
    std::sort(order.begin(), order.end(),
              [&](int32_t a, int32_t b) { return std::tie(bytes[b], a) < std::tie(bytes[a], b); });
    std::vector<std::vector<int32_t>> sorted;
    for (int32_t kind : order)
      sorted.push_back(std::move(kinds[kind]));
    kinds = std::move(sorted);
  }

  bool decide(const std::vector<int32_t> &kind) {
    const ConflictGroup &example = groups[kind.front()];
    const Candidate *best = nullptr;
    double bestChange = -leastGain;
    std::vector<Candidate> candidates = candidatesOf(example);
    for (const Candidate &candidate : candidates) {
      clearMoves();
      collectMoves(example, candidate);
      if (moves.empty())
        continue;
      double change = tryMoves();
      if (change < bestChange) {
        bestChange = change;
        best = &candidate;
      }
      undoMoves();
    }
    if (!best)
      return false;
    clearMoves();
    for (int32_t g : kind)
      collectMoves(groups[g], *best);
    double change = tryMoves();
    if (change > -leastGain) {
      undoMoves();
      return false;
    }
    keepMoves(kind, change);
    return true;
  }

  //===- Moves ---------------------------------------------------------------===//

  void clearMoves() {
    moves.clear();
    moveShardings.clear();
  }

  void collectMoves(const ConflictGroup &group, const Candidate &candidate) {
    for (const GroupMember &member : group.members) {
      std::optional<MeshSharding> target = targetOf(group, member, candidate);
      if (!target)
        continue;
      int32_t layout = cost->intern({target->mesh, target->sharding.layout()});
      if (layout == cost->layoutOf(member.value))
        continue;
      moves.push_back({member.value, layout});
      moveShardings.push_back(std::move(*target));
    }
  }

  double tryMoves() {
    back.clear();
    for (const LayoutChange &move : moves)
      back.push_back({move.value, cost->layoutOf(move.value)});
    return cost->change(moves);
  }

  void undoMoves() { cost->change(back); }

  void keepMoves(const std::vector<int32_t> &kind, double change) {
    const ConflictGroup &example = groups[kind.front()];
    for (size_t i = 0; i < moves.size(); ++i) {
      ShardGraph::Value &value = graph.value(moves[i].value);
      value.sharding = graph.internSharding(moveShardings[i]);
      value.state = ShardingState::inferred;
      decisions.ofValue[moves[i].value] = static_cast<int32_t>(decisions.all.size());
    }
    decisions.all.push_back(
        {kind.front(), example.mesh, example.axis, -change, static_cast<int32_t>(kind.size())});
  }

  //===- Shardings -----------------------------------------------------------===//

  /// Returns how a member lies under a candidate; nothing if it stays as it is.
  std::optional<MeshSharding> targetOf(const ConflictGroup &group, const GroupMember &member,
                                       const Candidate &candidate) {
    const ShardGraph::Value &value = graph.value(member.value);
    const ShardGraph::Shape &shape = graph.shape(value.shape);
    MeshSharding target = value.sharding == none
                              ? MeshSharding{group.mesh, Sharding::replicatedOf(shape.size(), true)}
                              : graph.sharding(value.sharding);
    auto isAxis = [&](const AxisRef &ref) { return ref.axis == group.axis; };
    bool held = false;
    for (DimSharding &dim : target.sharding.dims) {
      auto end = std::remove_if(dim.axes.begin(), dim.axes.end(), isAxis);
      held |= end != dim.axes.end();
      dim.axes.erase(end, dim.axes.end());
    }
    AxisList &reserved = target.sharding.replicated;
    reserved.erase(std::remove_if(reserved.begin(), reserved.end(), isAxis), reserved.end());
    for (int32_t label : candidate.labels)
      for (const LabelledDim &dim : member.dims)
        if (dim.label == label && split(target.sharding.dims[dim.dim], shape[dim.dim],
                                        *classes.wantOf(dim.dimClass), group.axis))
          return target;
    if (candidate.keepsOthers)
      return std::nullopt;
    if (held) {
      reserved.push_back(wholeAxis(graph.mesh(group.mesh), group.axis));
      std::sort(reserved.begin(), reserved.end());
    }
    return target;
  }

  /// Adds to a dim what its class wants of `axis`, in the order of the class's axes. Returns false
  /// if the dim does not divide so.
  static bool split(DimSharding &dim, int64_t size, const Want &want, int32_t axis) {
    AxisList own = std::move(dim.axes);
    dim.axes.clear();
    for (const WantedAxis &wanted : want.axes) {
      auto held = std::find(own.begin(), own.end(), wanted.axis);
      if (held == own.end() && wanted.axis.axis != axis)
        continue;
      dim.axes.push_back(wanted.axis);
      if (held != own.end())
        own.erase(held);
    }
    dim.axes.insert(dim.axes.end(), own.begin(), own.end());
    if (size % sizeOf(dim.axes) == 0)
      return true;
    dim.axes.erase(std::remove_if(dim.axes.begin(), dim.axes.end(),
                                  [&](const AxisRef &ref) { return ref.axis == axis; }),
                   dim.axes.end());
    return false;
  }

  ShardGraph &graph;
  const DimClasses &classes;
  const std::vector<bool> &isFree;
  ValueUses uses;
  std::vector<ConflictGroup> groups;
  std::vector<std::vector<int32_t>> kinds;
  std::optional<PlanCost> cost;
  std::vector<LayoutChange> moves, back;
  std::vector<MeshSharding> moveShardings; ///< Of `moves`.
  Decisions decisions;
};

} // namespace

Decisions decideConflicts(ShardGraph &graph, const DimClasses &classes,
                          const std::vector<bool> &isFree) {
  return Decider(graph, classes, isFree).run();
}

} // namespace spmd
