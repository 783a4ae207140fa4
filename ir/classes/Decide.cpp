#include "spmd/ir/classes/Decide.h"

#include "spmd/ir/classes/Support.h"
#include "spmd/ir/classes/Trial.h"

#include <algorithm>
#include <numeric>
#include <optional>

namespace spmd {

namespace {

constexpr int32_t none = ShardGraph::none;

/// Decisions change what others gain; after so many rounds what is left is not worth the time.
constexpr int maxRounds = 4;

/// Groups alike, and whether something around them changed since they were last judged.
struct Kind {
  std::vector<int32_t> groups;
  double bytes = 0;
  bool isStale = true;
};

} // namespace

class ConflictDecider::Impl {
public:
  Impl(ShardGraph &graph, const std::vector<bool> &isFree, const ValueUses &uses)
      : graph(graph), isFree(isFree), uses(uses), classes(graph, isFree),
        isAround(graph.numOps(), false) {}

  Decisions decide(History *noted) {
    history = noted;
    if (!classes.wantsAnything())
      return {};
    decisions = {};
    decideGroups(/*withContent=*/false);
    if (decisions.all.empty() && classes.hasOrders())
      decideGroups(/*withContent=*/true);
    if (!decisions.all.empty())
      forgetFreeValues(decisions.changed);
    for (const Decision &decision : decisions.all)
      level -= decision.gain;
    decisions.level = level;
    isLevelKnown = false; // What is decided is to be spread.
    for (int32_t v = 0; v < static_cast<int32_t>(decisions.ofValue.size()); ++v)
      if (decisions.ofValue[v] != none)
        decisions.changed.push_back(v);
    return std::move(decisions);
  }

  std::vector<int32_t> dropUnsupported(const std::vector<bool> &isDecided, History *noted) {
    history = noted;
    std::vector<int32_t> changed = spmd::dropUnsupported(graph, uses, isFree, isDecided, history);
    if (changed.empty())
      return {};
    forgetFreeValues(changed);
    isLevelKnown = false;
    return changed;
  }

  double levelNow() {
    if (cost && !std::exchange(isLevelKnown, true))
      level += cost->update();
    return level;
  }

private:
  /// Finds groups and decides them, those with values that have what they want, too, only between
  /// orders: estimates are too dear for moves that become one later to take anything from these.
  void decideGroups(bool withContent) {
    groups = findConflictGroups(graph, classes, isFree, uses, withContent);
    mayBeWhole = !withContent;
    if (groups.empty())
      return;
    if (cost) {
      levelNow();
    } else {
      targets.emplace(graph, classes, cost.emplace(graph, isFree, uses));
      trial.emplace(graph, isFree, uses, *cost);
    }
    sortIntoKinds();
    kindOffsets.clear();
    bool changed = true;
    for (int round = 0; round < maxRounds && changed; ++round) {
      changed = false;
      for (Kind &kind : kinds)
        if (std::exchange(kind.isStale, false))
          changed |= decide(kind);
    }
    groups = {};
  }

  //===- Kinds of groups -----------------------------------------------------===//

  /// Those of the most bytes come first.
  void sortIntoKinds() {
    kinds.clear();
    absl::flat_hash_map<size_t, int32_t> kindOf;
    for (size_t g = 0; g < groups.size(); ++g) {
      auto [kind, isNew] = kindOf.try_emplace(groups[g].signature, kinds.size());
      if (isNew)
        kinds.emplace_back();
      kinds[kind->second].groups.push_back(static_cast<int32_t>(g));
      kinds[kind->second].bytes += groups[g].bytes;
    }
    std::sort(kinds.begin(), kinds.end(), [](const Kind &a, const Kind &b) {
      return std::tie(b.bytes, a.groups.front()) < std::tie(a.bytes, b.groups.front());
    });
  }

  void listKindsOfValues() {
    kindOffsets.assign(graph.numValues() + 1, 0);
    forEachMember([&](int32_t v, size_t) { ++kindOffsets[v + 1]; });
    std::partial_sum(kindOffsets.begin(), kindOffsets.end(), kindOffsets.begin());
    kindsOfValues.resize(kindOffsets.back());
    std::vector<int32_t> next(kindOffsets.begin(), kindOffsets.end() - 1);
    forEachMember(
        [&](int32_t v, size_t kind) { kindsOfValues[next[v]++] = static_cast<int32_t>(kind); });
  }

  template <typename Visit> void forEachMember(Visit visit) const {
    for (size_t k = 0; k < kinds.size(); ++k)
      for (int32_t g : kinds[k].groups)
        for (int32_t m = 0; m < groups[g].numMembers; ++m)
          visit(groups.valueOf(groups[g], m), k);
  }

  /// The kinds of all values around those that change must be judged again.
  void markStale(const Kind &except) {
    if (kinds.size() == 1)
      return;
    if (kindOffsets.empty())
      listKindsOfValues();
    for (const LayoutChange &change : changes)
      cost->forEachOpAround(change.value, [&](int32_t op) {
        if (isAround[op])
          return;
        isAround[op] = true;
        for (int32_t v : graph.tensorsOf(graph.op(op)))
          for (int32_t i = kindOffsets[v]; i < kindOffsets[v + 1]; ++i)
            if (Kind &kind = kinds[kindsOfValues[i]]; &kind != &except)
              kind.isStale = true;
      });
    for (const LayoutChange &change : changes)
      cost->forEachOpAround(change.value, [&](int32_t op) { isAround[op] = false; });
  }

  //===- Deciding ------------------------------------------------------------===//

  /// Returns whether the groups of a kind changed.
  bool decide(const Kind &kind) {
    const ConflictGroup &example = groups[kind.groups.front()];
    std::vector<Candidate> candidates = candidatesOf(example.numLabels, example.hasOrders);
    if (!mayBeWhole) {
      candidates.pop_back();
      for (Candidate &candidate : candidates)
        candidate.keepsUnfit = true;
    }
    const Candidate *best = nullptr;
    double bestChange = -leastGain;
    targets->start(groups, example);
    trial->start(groups, example, *targets);
    for (const Candidate &candidate : candidates) {
      if (!targets->choose(candidate))
        continue;
      if (double change = trial->change(*targets); change < bestChange) {
        bestChange = change;
        best = &candidate;
      }
    }
    return best && follow(kind, *best);
  }

  /// Lets all groups of a kind follow a candidate, if that is cheaper for all together.
  bool follow(const Kind &kind, const Candidate &candidate) {
    changes.clear();
    moved.clear();
    changes.reserve(groups[kind.groups.front()].numMembers);
    moved.reserve(groups[kind.groups.front()].numMembers);
    for (int32_t g : kind.groups) {
      if (g == kind.groups.front())
        targets->choose(candidate);
      else
        targets->goOn(groups[g], candidate);
      for (int32_t m = 0; m < groups[g].numMembers; ++m) {
        if (targets->of(m).layout == targets->now(m).layout)
          continue;
        int32_t value = groups.valueOf(groups[g], m);
        changes.push_back({value, targets->of(m).layout});
        moved.push_back(targets->of(m).sharding);
      }
    }
    double change = cost->change(changes);
    if (change > -leastGain) {
      for (LayoutChange &each : changes)
        each.layout = cost->layoutInGraph(each.value);
      cost->change(changes);
      return false;
    }
    keep(kind, change);
    return true;
  }

  void keep(const Kind &kind, double change) {
    const ConflictGroup &example = groups[kind.groups.front()];
    decisions.ofValue.resize(graph.numValues(), none);
    for (size_t i = 0; i < changes.size(); ++i) {
      ShardGraph::Value &value = graph.value(changes[i].value);
      if (history)
        history->changes.push_back({changes[i].value, value.sharding, moved[i],
                                    static_cast<int32_t>(history->decisions.size()),
                                    history->numSteps, Change::Cause::decision});
      value.sharding = moved[i];
      value.state = ShardingState::inferred;
      value.origin = none;
      decisions.ofValue[changes[i].value] = static_cast<int32_t>(decisions.all.size());
    }
    markStale(kind);
    if (history)
      history->decisions.push_back({example.mesh, example.axis, -change,
                                    static_cast<int32_t>(kind.groups.size()),
                                    static_cast<int32_t>(changes.size())});
    decisions.all.push_back(
        {example.mesh, example.axis, -change, static_cast<int32_t>(kind.groups.size())});
  }

  /// Whether a value is whole because nothing can be split where it is, or because it has no dims:
  /// that is nothing to forget.
  bool isClosed(int32_t v) const {
    int32_t sharding = graph.value(v).sharding;
    if (sharding == none)
      return false;
    const std::vector<DimSharding> &dims = graph.sharding(sharding).sharding.dims;
    return std::none_of(dims.begin(), dims.end(), [](const DimSharding &dim) { return dim.open; });
  }

  void forgetFreeValues(std::vector<int32_t> &changed) {
    for (int32_t v = 0; v < graph.numValues(); ++v)
      if (isFree[v] && graph.value(v).state == ShardingState::inferred && !isClosed(v)) {
        if (history)
          history->changes.push_back(
              {v, graph.value(v).sharding, none, none, history->numSteps, Change::Cause::forgot});
        graph.forget(v);
        changed.push_back(v);
      }
  }

  ShardGraph &graph;
  const std::vector<bool> &isFree;
  const ValueUses &uses;
  DimClasses classes;
  std::vector<bool> isAround; ///< By op, while kinds are marked.
  ConflictGroups groups;
  bool mayBeWhole = true; ///< Whether groups may be not split at all.
  std::vector<Kind> kinds;
  std::vector<int32_t> kindOffsets, kindsOfValues; ///< By value.
  std::optional<PlanCost> cost;
  std::optional<Targets> targets;
  std::optional<Trial> trial;
  std::vector<LayoutChange> changes;
  std::vector<int32_t> moved; ///< The shardings of `changes`.
  Decisions decisions;
  double level = 0; ///< What the plan costs, from where it was first.
  bool isLevelKnown = false;
  History *history = nullptr;
};

ConflictDecider::ConflictDecider(ShardGraph &graph, const std::vector<bool> &isFree,
                                 const ValueUses &uses)
    : impl(std::make_unique<Impl>(graph, isFree, uses)) {}

ConflictDecider::~ConflictDecider() = default;

Decisions ConflictDecider::decide(History *history) { return impl->decide(history); }

std::vector<int32_t> ConflictDecider::dropUnsupported(const std::vector<bool> &isDecided,
                                                      History *history) {
  return impl->dropUnsupported(isDecided, history);
}

double ConflictDecider::levelNow() { return impl->levelNow(); }

} // namespace spmd
