#include "spmd/ir/planner/DecisionGraph.h"

#include <algorithm>

namespace spmd {

int32_t DecisionGraph::addNode(int32_t options, absl::Span<const int32_t> operands,
                               absl::Span<const int32_t> resultKinds, double weight) {
  int32_t number = numNodes();
  nodes.push_back({options, static_cast<int32_t>(tensors.size()), weight});
  tensors.insert(tensors.end(), operands.begin(), operands.end());
  for (size_t r = 0; r < resultKinds.size(); ++r) {
    if (resultKinds[r] == none) {
      tensors.push_back(none);
      continue;
    }
    tensors.push_back(numValues());
    values.push_back({resultKinds[r], number, static_cast<int32_t>(operands.size() + r), weight});
  }
  return number;
}

void DecisionGraph::finish() {
  std::vector<int32_t> counts(values.size() + 1, 0);
  auto forEachUse = [&](auto visit) {
    for (int32_t n = 0; n < numNodes(); ++n)
      for (int32_t t = 0; t < optionsOf(n).numOperands; ++t)
        if (int32_t v = valueOf(n, t); v != none)
          visit(v, Use{n, t});
  };
  forEachUse([&](int32_t v, Use) { ++counts[v + 1]; });
  for (size_t v = 1; v < counts.size(); ++v)
    counts[v] += counts[v - 1];
  firstUse = counts;
  uses.resize(counts.back());
  forEachUse([&](int32_t v, Use use) { uses[counts[v]++] = use; });
}

PlanState::PlanState(const DecisionGraph &graph)
    : graph(graph), chosen(graph.numNodes(), 0), wants(graph.numValues()) {
  for (int32_t n = 0; n < graph.numNodes(); ++n)
    for (int32_t t = 0; t < graph.optionsOf(n).numOperands; ++t)
      if (int32_t v = graph.valueOf(n, t); v != DecisionGraph::none)
        want(v, graph.optionsOf(n).layoutOf(0, t), 1);
}

void PlanState::want(int32_t v, int32_t layout, int32_t change) {
  Wants &list = wants[v];
  auto at = std::lower_bound(list.begin(), list.end(), layout,
                             [](const Want &want, int32_t wanted) { return want.layout < wanted; });
  if (at == list.end() || at->layout != layout)
    at = list.insert(at, {layout, 0});
  at->count += change;
  if (at->count == 0)
    list.erase(at);
}

void PlanState::set(int32_t n, int32_t option) {
  if (chosen[n] == option)
    return;
  const OptionSet &options = graph.optionsOf(n);
  for (int32_t t = 0; t < options.numOperands; ++t) {
    int32_t v = graph.valueOf(n, t), before = options.layoutOf(chosen[n], t),
            after = options.layoutOf(option, t);
    if (v == DecisionGraph::none || before == after)
      continue;
    want(v, before, -1);
    want(v, after, 1);
  }
  chosen[n] = option;
}

double PlanState::costOfMoves(int32_t kind, int32_t made, absl::Span<const int32_t> wanted) {
  if (wanted.empty() || (wanted.size() == 1 && wanted[0] == made))
    return 0;
  LayoutTable &table = graph.table;
  if (wanted.size() == 1)
    return table.moveCost(kind, made, wanted[0]);
  key.assign({kind, made});
  key.insert(key.end(), wanted.begin(), wanted.end());
  auto [number, isNew] = keys.number(key);
  if (!isNew)
    return known[number];
  // Prim's algorithm: the nearest wanted layout is brought next.
  std::vector<int32_t> left(wanted.begin(), wanted.end());
  std::vector<double> costs(left.size(), LayoutTable::impossible);
  double total = 0;
  for (int32_t have = made; !left.empty();) {
    size_t best = 0;
    for (size_t i = 0; i < left.size(); ++i) {
      costs[i] = std::min(costs[i], table.moveCost(kind, have, left[i]));
      if (costs[i] < costs[best])
        best = i;
    }
    total += costs[best];
    have = left[best];
    left.erase(left.begin() + static_cast<ptrdiff_t>(best));
    costs.erase(costs.begin() + static_cast<ptrdiff_t>(best));
  }
  known.push_back(total);
  return total;
}

double PlanState::leastCostOfMoves(int32_t kind, int32_t made, absl::Span<const int32_t> wanted) {
  // Each wanted layout comes from the one that is made or from another wanted one.
  double total = 0;
  for (int32_t to : wanted) {
    double least = graph.table.leastMoveCost(kind, made, to);
    for (int32_t from : wanted)
      if (from != to && least > 0)
        least = std::min(least, graph.table.leastMoveCost(kind, from, to));
    total += least;
  }
  return total;
}

double PlanState::costOfValue(int32_t v) {
  wanted.clear();
  for (const Want &want : wants[v])
    wanted.push_back(want.layout);
  const DecisionGraph::Value &value = graph.value(v);
  return value.weight * costOfMoves(value.kind, layoutOf(v), wanted);
}

double PlanState::total() {
  double total = 0;
  for (int32_t n = 0; n < graph.numNodes(); ++n)
    total += graph.node(n).weight * graph.optionsOf(n).costs[chosen[n]];
  for (int32_t v = 0; v < graph.numValues(); ++v)
    total += costOfValue(v);
  return total;
}

} // namespace spmd
