#include "spmd/passes/propagate/BorderDims.h"

namespace spmd {

OpRule borderRule(const ShardGraph::Shape &whole, const ShardGraph::Shape &part) {
  RuleBuilder builder(1, 1);
  builder.operandRank(0, whole.size()).resultRank(0, part.size());
  for (size_t d = 0; d < whole.size(); ++d) {
    int32_t free = builder.factor(part[d]);
    builder.result(0, d, {free});
    if (whole[d] == part[d]) {
      builder.operand(0, d, {free});
      continue;
    }
    Factor manual{whole[d] / part[d]};
    manual.blocked = true;
    builder.operand(0, d, {builder.factor(manual), free});
  }
  return builder.take();
}

void BorderDims::add(const ShardGraph &graph, absl::Span<const int32_t> ops) {
  for (int32_t op : ops) {
    absl::Span<const int32_t> tensors = graph.tensorsOf(graph.op(op));
    absl::Span<const int64_t> whole = graph.shape(graph.value(tensors.front()).shape),
                              part = graph.shape(graph.value(tensors.back()).shape);
    for (size_t d = 0; d < whole.size(); ++d)
      if (whole[d] != part[d])
        for (int32_t v : {tensors.front(), tensors.back()})
          dimsOf[v].push_back(static_cast<int32_t>(d));
  }
}

int32_t BorderDims::withoutUneven(ShardGraph &graph, int32_t value, int32_t learnt) const {
  auto found = dimsOf.find(value);
  if (found == dimsOf.end())
    return learnt;
  const ShardGraph::Value &known = graph.value(value);
  MeshSharding sharding = graph.sharding(learnt);
  bool isCut = false;
  for (int32_t d : found->second) {
    AxisList &axes = sharding.sharding.dims[d].axes;
    size_t numKnown = known.sharding == ShardGraph::none
                          ? 0
                          : graph.sharding(known.sharding).sharding.dims[d].axes.size();
    int64_t rest = graph.shape(known.shape)[d];
    size_t kept = 0;
    for (; kept < axes.size() && (kept < numKnown || rest % axes[kept].size == 0); ++kept)
      rest /= axes[kept].size;
    isCut |= kept < axes.size();
    axes.resize(kept);
  }
  if (!isCut)
    return learnt;
  bool saysNothing = known.sharding == ShardGraph::none && sharding.sharding.isFullyReplicated();
  return saysNothing ? known.sharding : graph.internSharding(sharding);
}

} // namespace spmd
