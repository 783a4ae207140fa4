#include "spmd/ir/explain/Ties.h"

#include "absl/container/flat_hash_map.h"

namespace spmd {

int32_t dimOfFactor(const OpRule &rule, size_t tensor, int32_t factor) {
  const TensorFactors &dims = rule.tensor(tensor);
  for (size_t d = 0; d < dims.size(); ++d)
    if (std::find(dims[d].begin(), dims[d].end(), factor) != dims[d].end())
      return static_cast<int32_t>(d);
  return -1;
}

namespace {

/// Walks from a dim to those that share factors with it, the nearest first.
class WayBack {
public:
  WayBack(const Past &past, const std::vector<bool> &isFree, int32_t mesh, int32_t axis)
      : past(past), graph(past.graph), isFree(isFree), mesh(mesh), axis(axis) {
    graph.opsOfValues(useOffsets, uses);
  }

  std::vector<Tie> run(ValueDim goal) {
    if (isClaimed(goal))
      return {};
    std::vector<ValueDim> queue = {goal};
    next[goal] = {};
    for (size_t at = 0; at < queue.size(); ++at) {
      ValueDim here = queue[at];
      for (int32_t i = useOffsets[here.value]; i < useOffsets[here.value + 1]; ++i)
        if (std::optional<ValueDim> found = visit(uses[i], here, queue))
          return wayFrom(*found, goal);
    }
    return {};
  }

private:
  /// Whether the program itself splits a dim along the axis.
  bool isClaimed(ValueDim place) const {
    int32_t known = past.atFirst(place.value);
    if (known == ShardGraph::none || graph.sharding(known).mesh != mesh ||
        graph.value(place.value).state != ShardingState::pinned)
      return false;
    const AxisList &axes = graph.sharding(known).sharding.dims[place.dim].axes;
    return std::any_of(axes.begin(), axes.end(),
                       [&](const AxisRef &ref) { return ref.axis == axis; });
  }

  /// Whether axes pass through a dim: the program does not close it.
  bool isOpen(ValueDim place) const {
    int32_t known = past.atFirst(place.value);
    return known == ShardGraph::none || graph.sharding(known).sharding.dims[place.dim].open;
  }

  std::optional<ValueDim> visit(int32_t index, ValueDim here, std::vector<ValueDim> &queue) {
    const ShardGraph::Op &op = graph.op(index);
    const OpRule &rule = graph.rule(op.rule);
    absl::Span<const int32_t> tensors = graph.tensorsOf(op);
    for (size_t t = 0; t < tensors.size(); ++t) {
      if (tensors[t] != here.value)
        continue;
      for (int32_t factor : rule.tensor(t)[here.dim])
        for (size_t other = 0; other < tensors.size(); ++other) {
          ValueDim place = {tensors[other], dimOfFactor(rule, other, factor)};
          if (place.dim < 0 || rule.factors[factor].blocked || isFree[place.value] ||
              !next.try_emplace(place, Tie{index, place, here}).second)
            continue;
          if (isClaimed(place))
            return place;
          if (isOpen(place))
            queue.push_back(place);
        }
    }
    return std::nullopt;
  }

  std::vector<Tie> wayFrom(ValueDim start, ValueDim goal) const {
    std::vector<Tie> way;
    for (ValueDim at = start; !(at == goal); at = way.back().to)
      way.push_back(next.at(at));
    return way;
  }

  const Past &past;
  const ShardGraph &graph;
  const std::vector<bool> &isFree;
  int32_t mesh, axis;
  std::vector<int32_t> useOffsets, uses;
  absl::flat_hash_map<ValueDim, Tie> next; ///< The step from a dim towards the goal.
};

} // namespace

std::vector<Tie> wayFromAnnotation(const Past &past, const std::vector<bool> &isFree, ValueDim to,
                                   int32_t mesh, int32_t axis) {
  return WayBack(past, isFree, mesh, axis).run(to);
}

} // namespace spmd
