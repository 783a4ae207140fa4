#include "spmd/ir/planner/Segments.h"

#include <algorithm>
#include <numeric>

namespace spmd {

/// Classes of dims that a segment tries for an axis. Most segments have three or four.
constexpr size_t mostClasses = 6;

/// Sets of numbers; each set is known by one of its members.
class DisjointSets {
public:
  explicit DisjointSets(size_t count) : parent(count) {
    std::iota(parent.begin(), parent.end(), 0);
  }
  int32_t find(int32_t member) {
    while (parent[member] != member)
      member = parent[member] = parent[parent[member]];
    return member;
  }
  void join(int32_t a, int32_t b) { parent[find(a)] = find(b); }

private:
  std::vector<int32_t> parent;
};

Segments::Segments(const DecisionGraph &graph, PlanState &state, Descent &descent)
    : graph(graph), state(state), descent(descent), seen(graph.numValues(), 0) {
  findClasses();
  findSegments();
}

void Segments::findClasses() {
  int32_t numPlaces = 0;
  for (int32_t v = 0; v < graph.numValues(); ++v) {
    firstPlace.push_back(numPlaces);
    numPlaces += static_cast<int32_t>(graph.table.shapeOf(graph.value(v).kind).size());
  }
  DisjointSets sets(numPlaces);
  for (int32_t n = 0; n < graph.numNodes(); ++n)
    for (const std::vector<OptionSet::Place> &tie : graph.optionsOf(n).ties) {
      int32_t first = DecisionGraph::none;
      for (const OptionSet::Place &place : tie) {
        int32_t v = graph.valueOf(n, place.tensor);
        if (v == DecisionGraph::none)
          continue;
        int32_t number = firstPlace[v] + place.dim;
        if (first == DecisionGraph::none)
          first = number;
        else
          sets.join(first, number);
      }
    }
  for (int32_t p = 0; p < numPlaces; ++p)
    classes.push_back(sets.find(p));
}

int32_t Segments::classOf(int32_t n, const OptionSet::Place &place) const {
  int32_t v = graph.valueOf(n, place.tensor);
  return v == DecisionGraph::none ? DecisionGraph::none : classes[firstPlace[v] + place.dim];
}

void Segments::findSegments() {
  auto isLight = [&](int32_t n) {
    return !graph.optionsOf(n).isHeavy && graph.optionsOf(n).size() > 1;
  };
  DisjointSets sets(graph.numNodes());
  for (int32_t v = 0; v < graph.numValues(); ++v)
    if (int32_t maker = graph.value(v).maker; isLight(maker))
      for (const DecisionGraph::Use &use : graph.usesOf(v))
        if (isLight(use.user))
          sets.join(maker, use.user);
  absl::flat_hash_map<int32_t, size_t> numbers;
  for (int32_t n = 0; n < graph.numNodes(); ++n) {
    if (!isLight(n))
      continue;
    auto [entry, isNew] = numbers.try_emplace(sets.find(n), segments.size());
    if (isNew)
      segments.emplace_back();
    segments[entry->second].nodes.push_back(n);
  }
  for (Segment &segment : segments) {
    absl::flat_hash_map<int32_t, int32_t> counts;
    for (int32_t n : segment.nodes)
      for (const std::vector<OptionSet::Place> &tie : graph.optionsOf(n).ties)
        for (const OptionSet::Place &place : tie)
          if (int32_t c = classOf(n, place); c != DecisionGraph::none)
            if (counts[c]++ == 0)
              segment.classes.push_back(c);
    std::sort(segment.classes.begin(), segment.classes.end(), [&](int32_t a, int32_t b) {
      return std::make_pair(-counts[a], a) < std::make_pair(-counts[b], b);
    });
    if (segment.classes.size() > mostClasses)
      segment.classes.resize(mostClasses);
  }
}

int32_t Segments::moved(int32_t n, int32_t axis, int32_t toClass, bool last) {
  const OptionSet &options = graph.optionsOf(n);
  AxisRef ref = wholeAxis(graph.table.mesh(), axis);
  std::vector<int32_t> layouts;
  for (int32_t t = 0; t < options.numTensors; ++t) {
    int32_t layout = options.layoutOf(state.option(n), t), v = graph.valueOf(n, t);
    if (v == DecisionGraph::none) {
      layouts.push_back(layout);
      continue;
    }
    Sharding sharding = graph.table[layout];
    for (DimSharding &dim : sharding.dims)
      dim.axes.erase(std::remove(dim.axes.begin(), dim.axes.end(), ref), dim.axes.end());
    auto &shares = sharding.unreduced;
    shares.erase(std::remove(shares.begin(), shares.end(), ref), shares.end());
    if (shares.empty())
      sharding.kind = ReductionKind::sum;
    for (size_t d = 0; d < sharding.dims.size() && toClass != DecisionGraph::none; ++d)
      if (classes[firstPlace[v] + static_cast<int32_t>(d)] == toClass) {
        AxisList &axes = sharding.dims[d].axes;
        axes.insert(last ? axes.end() : axes.begin(), ref);
        break;
      }
    layouts.push_back(graph.table.intern(sharding));
  }
  return options.find(layouts);
}

double Segments::costOf(const std::vector<int32_t> &nodes) {
  double cost = 0;
  ++numAttempts;
  for (int32_t n : nodes) {
    const OptionSet &options = graph.optionsOf(n);
    cost += graph.node(n).weight * options.costs[state.option(n)];
    for (int32_t t = 0; t < options.numTensors; ++t) {
      int32_t v = graph.valueOf(n, t);
      if (v == DecisionGraph::none || seen[v] == numAttempts)
        continue;
      seen[v] = numAttempts;
      cost += state.costOfValue(v);
    }
  }
  return cost;
}

bool Segments::attempt(const Segment &segment, int32_t axis, int32_t toClass, bool last) {
  std::vector<std::pair<int32_t, int32_t>> before; // Nodes that change, with their options.
  for (int32_t n : segment.nodes) {
    int32_t option = moved(n, axis, toClass, last);
    if (option < 0 && toClass != DecisionGraph::none)
      option = moved(n, axis, DecisionGraph::none, last);
    if (option >= 0 && option != state.option(n)) {
      before.emplace_back(n, state.option(n));
      state.set(n, option);
    }
  }
  if (before.empty())
    return false;
  // What is around the segment follows, then the segment adapts to that.
  std::vector<int32_t> around, changed;
  for (auto [n, option] : before) {
    changed.push_back(n);
    for (int32_t t = 0; t < graph.optionsOf(n).numTensors; ++t) {
      int32_t v = graph.valueOf(n, t);
      if (v == DecisionGraph::none)
        continue;
      around.push_back(graph.value(v).maker);
      for (const DecisionGraph::Use &use : graph.usesOf(v))
        around.push_back(use.user);
    }
  }
  std::sort(around.begin(), around.end());
  around.erase(std::unique(around.begin(), around.end()), around.end());
  for (int32_t n : around) {
    int32_t option = state.option(n);
    if (!descent.improve(n))
      continue;
    auto known = std::find_if(before.begin(), before.end(),
                              [n](const auto &each) { return each.first == n; });
    if (known != before.end())
      continue;
    before.emplace_back(n, option);
    changed.push_back(n);
  }
  double after = costOf(changed);
  std::vector<int32_t> options;
  for (auto &[n, option] : before) {
    options.push_back(state.option(n));
    state.set(n, option);
  }
  if (after >= costOf(changed) * (1 - 1e-9))
    return false;
  for (size_t i = 0; i < before.size(); ++i)
    state.set(before[i].first, options[i]);
  return true;
}

int Segments::improve() {
  int kept = 0;
  auto numAxes = static_cast<int32_t>(graph.table.mesh().axes().size());
  for (const Segment &segment : segments)
    for (int32_t axis = 0; axis < numAxes; ++axis) {
      kept += attempt(segment, axis, DecisionGraph::none, true) ? 1 : 0;
      for (int32_t c : segment.classes)
        for (bool last : {true, false})
          kept += attempt(segment, axis, c, last) ? 1 : 0;
    }
  return kept;
}

} // namespace spmd
