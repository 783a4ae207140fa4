#include "spmd/ir/planner/Segments.h"

#include <algorithm>
#include <cstring>
#include <numeric>

namespace spmd {

/// Classes of dims that a segment tries for an axis. Most segments have three or four.
constexpr size_t mostClasses = 6;

/// The users of a value with more users do not adapt to a segment, and neither do ops with more
/// tensors. Without this bound, time is quadratic if all ops read one value, or one op reads all.
constexpr int mostNeighbours = 64;

/// Stands for the dim of a tensor that each reader makes anew: it keeps its layout.
constexpr int32_t staysAsItIs = -2;

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
    : graph(graph), state(state), descent(descent), nodeNumbers(graph.numNodes()),
      valueNumbers(graph.numValues()), changed(graph.numNodes()), priced(graph.numValues()) {
  findClasses();
  findSegments();
}

void Segments::findClasses() {
  int32_t numPlaces = 0;
  for (int32_t v = 0; v < graph.numValues(); ++v) {
    firstPlace.push_back(numPlaces);
    numPlaces += static_cast<int32_t>(graph.table.shapeOf(graph.value(v).kind).size());
  }
  firstPlace.push_back(numPlaces);
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

void Segments::findSegments() {
  auto isLight = [&](int32_t n) {
    const OptionSet &options = graph.optionsOf(n);
    return !options.isHeavy && options.size() > 1 && options.numTensors <= mostNeighbours;
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
  key.assign({graph.node(n).options, state.option(n), 2 * axis + (last ? 1 : 0)});
  for (int32_t t = 0; t < options.numTensors; ++t)
    key.push_back(dimOf(graph.valueOf(n, t), toClass));
  auto [number, isNew] = moves.number(key);
  if (isNew)
    movedOptions.push_back(computeMoved(n, axis, absl::MakeConstSpan(key).subspan(3), last));
  return movedOptions[number];
}

/// Returns the first dim of a value that is of a class.
int32_t Segments::dimOf(int32_t v, int32_t ofClass) const {
  if (v == DecisionGraph::none)
    return staysAsItIs;
  for (int32_t place = firstPlace[v]; place < firstPlace[v + 1]; ++place)
    if (classes[place] == ofClass)
      return place - firstPlace[v];
  return DecisionGraph::none;
}

int32_t Segments::computeMoved(int32_t n, int32_t axis, absl::Span<const int32_t> dims,
                               bool last) const {
  const OptionSet &options = graph.optionsOf(n);
  AxisRef ref = wholeAxis(graph.table.mesh(), axis);
  std::vector<int32_t> layouts;
  for (int32_t t = 0; t < options.numTensors; ++t) {
    int32_t layout = options.layoutOf(state.option(n), t);
    if (dims[t] == staysAsItIs) {
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
    if (dims[t] >= 0) {
      AxisList &axes = sharding.dims[dims[t]].axes;
      axes.insert(last ? axes.end() : axes.begin(), ref);
    }
    layouts.push_back(graph.table.intern(sharding));
  }
  return options.find(layouts);
}

std::vector<int32_t> Segments::neighboursOf(const std::vector<int32_t> &nodes) {
  std::vector<int32_t> neighbours;
  nodeNumbers.clear();
  valueNumbers.clear();
  auto add = [&](int32_t n) {
    if (graph.optionsOf(n).numTensors <= mostNeighbours && nodeNumbers.insert(n, 0))
      neighbours.push_back(n);
  };
  for (int32_t n : nodes)
    for (int32_t t = 0; t < graph.optionsOf(n).numTensors; ++t) {
      int32_t v = graph.valueOf(n, t);
      if (v == DecisionGraph::none || !valueNumbers.insert(v, 0))
        continue;
      add(graph.value(v).maker);
      if (graph.usesOf(v).size() <= size_t(mostNeighbours))
        for (const DecisionGraph::Use &use : graph.usesOf(v))
          add(use.user);
      else
        add(n);
    }
  std::sort(neighbours.begin(), neighbours.end());
  return neighbours;
}

double Segments::costOf(const std::vector<int32_t> &nodes) {
  double cost = 0;
  priced.clear();
  for (int32_t n : nodes) {
    const OptionSet &options = graph.optionsOf(n);
    cost += graph.node(n).weight * options.costs[state.option(n)];
    for (int32_t t = 0; t < options.numTensors; ++t)
      if (int32_t v = graph.valueOf(n, t); v != DecisionGraph::none && priced.insert(v, 0))
        cost += state.costOfValue(v);
  }
  return cost;
}

bool Segments::attempt(const Segment &segment, int32_t axis, int32_t toClass, bool last) {
  std::vector<int32_t> nodes, before; // Nodes that change, and their options.
  changed.clear();
  auto note = [&](int32_t n, int32_t option) {
    if (!changed.insert(n, 0))
      return;
    nodes.push_back(n);
    before.push_back(option);
  };
  for (int32_t n : segment.nodes) {
    int32_t option = moved(n, axis, toClass, last);
    if (option < 0 && toClass != DecisionGraph::none)
      option = moved(n, axis, DecisionGraph::none, last);
    if (option >= 0 && option != state.option(n)) {
      note(n, state.option(n));
      state.set(n, option);
    }
  }
  if (nodes.empty())
    return false;
  // What is around the segment follows, then the segment adapts to that.
  for (int32_t n : neighboursOf(nodes))
    if (int32_t option = state.option(n); descent.improve(n))
      note(n, option);
  double after = costOf(nodes);
  std::vector<int32_t> options;
  for (size_t i = 0; i < nodes.size(); ++i) {
    options.push_back(state.option(nodes[i]));
    state.set(nodes[i], before[i]);
  }
  if (after >= costOf(nodes) * (1 - 1e-9))
    return false;
  for (size_t i = 0; i < nodes.size(); ++i)
    state.set(nodes[i], options[i]);
  return true;
}

/// Writes all that the outcome of a segment depends on to `key`: the options of the nodes in its
/// reach, how these nodes are connected, and the layouts in which values are made and read.
void Segments::describe(const Segment &segment) {
  auto addWeight = [&](double weight) {
    int32_t words[2];
    std::memcpy(words, &weight, sizeof(weight));
    key.insert(key.end(), {words[0], words[1]});
  };
  nodeNumbers.clear();
  valueNumbers.clear();
  key.assign({static_cast<int32_t>(segment.nodes.size()), static_cast<int32_t>(reach.size())});
  for (size_t i = 0; i < reach.size(); ++i)
    nodeNumbers.insert(reach[i], static_cast<int32_t>(i));
  for (int32_t n : segment.nodes)
    key.push_back(nodeNumbers.at(n));
  int32_t numValues = 0;
  for (int32_t n : reach) {
    key.insert(key.end(), {graph.node(n).options, state.option(n)});
    addWeight(graph.node(n).weight);
    for (int32_t t = 0; t < graph.optionsOf(n).numTensors; ++t) {
      int32_t v = graph.valueOf(n, t);
      bool isNew = v != DecisionGraph::none && valueNumbers.insert(v, numValues);
      key.push_back(v == DecisionGraph::none ? v : valueNumbers.at(v));
      if (!isNew)
        continue;
      ++numValues;
      const DecisionGraph::Value &value = graph.value(v);
      addWeight(value.weight);
      key.insert(key.end(), {value.kind, state.layoutOf(v), nodeNumbers.at(value.maker)});
      for (int32_t c : segment.classes)
        key.push_back(dimOf(v, c));
      for (const PlanState::Want &want : state.wantsOf(v))
        key.insert(key.end(), {want.layout, want.count});
      key.push_back(-1 /* ends the list */);
    }
  }
}

int Segments::improve(const Segment &segment) {
  reach = neighboursOf(segment.nodes);
  describe(segment);
  auto [number, isNew] = situations.number(key);
  if (!isNew) {
    for (auto [place, option] : outcomes[number].changes)
      state.set(reach[place], option);
    return outcomes[number].numKept;
  }
  std::vector<int32_t> before;
  for (int32_t n : reach)
    before.push_back(state.option(n));
  Outcome outcome;
  auto numAxes = static_cast<int32_t>(graph.table.mesh().axes().size());
  for (int32_t axis = 0; axis < numAxes; ++axis) {
    outcome.numKept += attempt(segment, axis, DecisionGraph::none, true) ? 1 : 0;
    for (int32_t c : segment.classes)
      for (bool last : {true, false})
        outcome.numKept += attempt(segment, axis, c, last) ? 1 : 0;
  }
  for (size_t i = 0; i < reach.size(); ++i)
    if (state.option(reach[i]) != before[i])
      outcome.changes.emplace_back(i, state.option(reach[i]));
  outcomes.push_back(std::move(outcome));
  return outcomes.back().numKept;
}

int Segments::improve() {
  int kept = 0;
  for (const Segment &segment : segments)
    kept += improve(segment);
  return kept;
}

} // namespace spmd
