#include "spmd/ir/explain/Ties.h"

namespace spmd {

int32_t dimOfFactor(const OpRule &rule, size_t tensor, int32_t factor) {
  const TensorFactors &dims = rule.tensor(tensor);
  for (size_t d = 0; d < dims.size(); ++d)
    if (std::find(dims[d].begin(), dims[d].end(), factor) != dims[d].end())
      return static_cast<int32_t>(d);
  return -1;
}

AnnotationWays::AnnotationWays(const Past &past, const std::vector<bool> &isFree, int32_t mesh,
                               int32_t axis)
    : past(past), graph(past.graph), isFree(isFree), mesh(mesh), axis(axis) {
  std::vector<int32_t> offsets, uses;
  graph.opsOfValues(offsets, uses);
  for (int32_t v = 0; v < graph.numValues(); ++v)
    for (size_t d = 0; d < graph.shape(graph.value(v).shape).size(); ++d)
      if (ValueDim place = {v, static_cast<int32_t>(d)}; isClaimed(place)) {
        last.try_emplace(place, Tie{ShardGraph::none, {}, place});
        queue.push_back(place);
      }
  size_t next = 0;
  while (next < queue.size()) { // It grows on the way.
    ValueDim here = queue[next++];
    for (int32_t i = offsets[here.value]; i < offsets[here.value + 1]; ++i)
      visit(uses[i], here);
  }
}

/// Whether the program itself splits a dim along the axis.
bool AnnotationWays::isClaimed(ValueDim place) const {
  if (graph.value(place.value).state != ShardingState::pinned)
    return false;
  int32_t known = past.atFirst(place.value);
  if (known == ShardGraph::none || graph.sharding(known).mesh != mesh)
    return false;
  const AxisList &axes = graph.sharding(known).sharding.dims[place.dim].axes;
  return std::any_of(axes.begin(), axes.end(),
                     [&](const AxisRef &ref) { return ref.axis == axis; });
}

/// Whether axes pass through a dim: the program does not close it.
bool AnnotationWays::isOpen(ValueDim place) const {
  int32_t known = past.atFirst(place.value);
  return known == ShardGraph::none || graph.sharding(known).sharding.dims[place.dim].open;
}

void AnnotationWays::visit(int32_t index, ValueDim here) {
  const ShardGraph::Op &op = graph.op(index);
  const OpRule &rule = graph.rule(op.rule);
  absl::Span<const int32_t> tensors = graph.tensorsOf(op);
  for (size_t t = 0; t < tensors.size(); ++t) {
    if (tensors[t] != here.value)
      continue;
    for (int32_t factor : rule.tensor(t)[here.dim])
      for (size_t other = 0; other < tensors.size() && !rule.factors[factor].blocked; ++other) {
        ValueDim place = {tensors[other], dimOfFactor(rule, other, factor)};
        if (place.dim >= 0 && !isFree[place.value] &&
            last.try_emplace(place, Tie{index, here, place}).second && isOpen(place))
          queue.push_back(place);
      }
  }
}

std::vector<Tie> AnnotationWays::wayTo(ValueDim place) const {
  std::vector<Tie> way;
  for (auto found = last.find(place); found != last.end() && found->second.op != ShardGraph::none;
       found = last.find(found->second.from))
    way.push_back(found->second);
  std::reverse(way.begin(), way.end());
  return way;
}

} // namespace spmd
