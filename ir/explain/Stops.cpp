#include "spmd/ir/explain/Stops.h"

#include "spmd/ir/explain/Trace.h"
#include "spmd/ir/sharding/Excluding.h"

#include "absl/container/flat_hash_set.h"

namespace spmd {

namespace {

class Search {
public:
  Search(const Past &past, size_t mostStops) : past(past), graph(past.graph), mostStops(mostStops) {
    graph.opsOfValues(useOffsets, uses);
  }

  StopSearch run(ValueDim place) {
    if (isClosed(place)) {
      found.isClosed = true;
      return std::move(found);
    }
    reach(place);
    for (size_t at = 0; at < queue.size() && found.stops.size() < mostStops; ++at)
      visitOps(queue[at]);
    return std::move(found);
  }

  std::vector<DimStop> runBeside(ValueDim place) {
    if (!isClosed(place))
      visitOps(place);
    return std::move(found.stops);
  }

private:
  void visitOps(ValueDim here) {
    int32_t last = ShardGraph::none; // An op is listed once for each of its tensors.
    for (int32_t i = useOffsets[here.value]; i < useOffsets[here.value + 1]; ++i)
      if (uses[i] != std::exchange(last, uses[i]))
        visit(uses[i], here);
  }

  const Sharding *shardingOf(int32_t value) const {
    int32_t known = graph.value(value).sharding;
    return known == ShardGraph::none ? nullptr : &graph.sharding(known).sharding;
  }

  bool isClosed(ValueDim place) const {
    const Sharding *sharding = shardingOf(place.value);
    return sharding && !sharding->dims[place.dim].open;
  }

  void reach(ValueDim place) {
    if (!seen.insert(place).second)
      return;
    queue.push_back(place);
    if (seenValues.insert(place.value).second)
      found.reached.push_back(place.value);
  }

  void visit(int32_t index, ValueDim here) {
    const ShardGraph::Op &op = graph.op(index);
    const OpRule &rule = graph.rule(op.rule);
    absl::Span<const int32_t> tensors = graph.tensorsOf(op);
    for (size_t t = 0; t < tensors.size(); ++t)
      if (tensors[t] == here.value)
        for (int32_t factor : rule.tensor(t)[here.dim])
          for (size_t other = 0; other < tensors.size(); ++other)
            if (ValueDim place = {tensors[other], dimOfFactor(rule, other, factor)};
                place.dim >= 0 && other != t)
              look(index, here, t, factor, place, other);
  }

  /// Looks from tensor `t` of an op at the dim of tensor `other` that has the same factor.
  void look(int32_t index, ValueDim here, size_t t, int32_t factor, ValueDim place, size_t other) {
    const ShardGraph::Op &op = graph.op(index);
    const OpRule &rule = graph.rule(op.rule);
    const Sharding *there = shardingOf(place.value), *own = shardingOf(here.value);
    AxisList axes = there ? project(rule, rule.tensor(other), *there)[factor] : AxisList{};
    AxisList held = own ? project(rule, rule.tensor(t), *own)[factor] : AxisList{};
    if (!isPrefix(axes, held))
      return addStop(index, here, t, factor, place, axes, held);
    if (!mayPass(rule, factor, bytesOfTensors(graph, op), past.history.unanimous) ||
        !mayLearn(rule, t))
      return addOnce(found.barriers, index);
    if (isSplitElsewhere(rule, other, place, factor, there))
      return addUneven(index, here, factor, place, other, *there);
    if (isClosed(place) && there->dims[place.dim].axes.empty())
      return addOnce(found.closed, place);
    reach(place);
  }

  /// Whether a dim of several factors is split along axes that no factor from `factor` on can have:
  /// they do not divide it, or one before it.
  static bool isSplitElsewhere(const OpRule &rule, size_t tensor, ValueDim place, int32_t factor,
                               const Sharding *sharding) {
    const DimFactors &factors = rule.tensor(tensor)[place.dim];
    if (!sharding || factors.size() < 2 || sharding->dims[place.dim].axes.empty())
      return false;
    int64_t placed = 1;
    FactorAxes projected = project(rule, rule.tensor(tensor), *sharding);
    for (int32_t each : factors)
      placed *= sizeOf(projected[each]);
    return projected[factor].empty() && placed < sizeOf(sharding->dims[place.dim].axes);
  }

  /// Tells of the first part of the dim that the axes do not divide: those behind it get none.
  void addUneven(int32_t index, ValueDim here, int32_t factor, ValueDim place, size_t tensor,
                 const Sharding &sharding) {
    const OpRule &rule = graph.rule(graph.op(index).rule);
    const DimFactors &factors = rule.tensor(tensor)[place.dim];
    FactorAxes projected = project(rule, rule.tensor(tensor), sharding);
    int32_t undivided = *std::find_if(factors.begin(), factors.end(), [&](int32_t each) {
      return each == factor || sizeOf(projected[each]) != rule.factors[each].size;
    });
    add({place, here, sharding.dims[place.dim].axes, index, StepObstacle::uneven,
         rule.factors[factor].kind, rule.factors[factor].custom, rule.factors[undivided].size, -1,
         ShardGraph::none, graph.bytesOf(graph.value(place.value)),
         graph.bytesOf(graph.value(here.value))});
  }

  void add(DimStop stop) {
    // What a value keeps out is kept out whichever tensor of an op it would come from.
    auto saysTheSame = [&](const DimStop &other) {
      return stop.obstacle == StepObstacle::reserved && other.obstacle == stop.obstacle &&
             other.op == stop.op && other.axes == stop.axes && other.decision == stop.decision;
    };
    bool isKnown = std::any_of(found.stops.begin(), found.stops.end(), [&](const DimStop &other) {
      return other.to == stop.to && (other.from == stop.from || saysTheSame(other));
    });
    if (!isKnown && found.stops.size() < mostStops)
      found.stops.push_back(std::move(stop));
  }

  template <typename T> static void addOnce(std::vector<T> &list, const T &entry) {
    if (std::find(list.begin(), list.end(), entry) == list.end())
      list.push_back(entry);
  }

  void addStop(int32_t index, ValueDim here, size_t t, int32_t factor, ValueDim place,
               const AxisList &axes, const AxisList &held) {
    const ShardGraph::Op &op = graph.op(index);
    const OpRule &rule = graph.rule(op.rule);
    AxisList missing = isPrefix(held, axes) ? afterPrefix(held, axes) : axes;
    DimStop stop = {place,
                    here,
                    missing,
                    index,
                    StepObstacle::none,
                    rule.factors[factor].kind,
                    rule.factors[factor].custom,
                    rule.factors[factor].size,
                    -1,
                    ShardGraph::none,
                    graph.bytesOf(graph.value(place.value)),
                    graph.bytesOf(graph.value(here.value))};
    int32_t now = static_cast<int32_t>(past.history.changes.size());
    if (std::optional<std::vector<Sharding>> shardings = shardingsBefore(past, op, now)) {
      stop.obstacle = obstacleOf(rule, *shardings, bytesOfTensors(graph, op), t, here.dim, factor,
                                 past.history.unanimous);
      const std::vector<DimSharding> &dims = (*shardings)[t].dims;
      for (auto axis = missing.begin(); axis != missing.end() && stop.otherDim < 0; ++axis)
        for (size_t d = 0; d < dims.size(); ++d)
          if (exclude(*axis, dims[d].axes))
            stop.otherDim = static_cast<int32_t>(d);
      if (stop.obstacle == StepObstacle::reserved)
        stop.decision = decisionAgainst(past, here.value, missing.front());
      if (stop.obstacle == StepObstacle::none)
        stop.obstacle = wouldBePadding(place, here, sizeOf(axes))
                            ? StepObstacle::few
                            : StepObstacle::differs; // Another tensor of the op decides.
    }
    add(std::move(stop));
  }

  int64_t sizeOfDim(ValueDim place) const {
    return graph.shape(graph.value(place.value).shape)[place.dim];
  }

  bool wouldBePadding(ValueDim from, ValueDim to, int64_t shards) const {
    return !past.history.unanimous && sizeOfDim(to) < sizeOfDim(from) &&
           isMostlyPadding(sizeOfDim(to), shards);
  }

  const Past &past;
  const ShardGraph &graph;
  size_t mostStops;
  StopSearch found;
  std::vector<ValueDim> queue;
  absl::flat_hash_set<ValueDim> seen;
  absl::flat_hash_set<int32_t> seenValues;
  std::vector<int32_t> useOffsets, uses;
};

} // namespace

StopSearch findStops(const Past &past, ValueDim place, size_t mostStops) {
  return Search(past, mostStops).run(place);
}

std::vector<DimStop> findStopsBeside(const Past &past, ValueDim place, size_t mostStops) {
  return Search(past, mostStops).runBeside(place);
}

} // namespace spmd
