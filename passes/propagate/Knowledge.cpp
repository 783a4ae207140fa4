// Tells values that nothing reached from those that lie whole because the program wants it so.

#include "spmd/passes/propagate/Engine.h"

namespace spmd {

namespace {

/// Spreads "this dim is as it should be" along factors, to a fixpoint.
class Spread {
public:
  explicit Spread(const ShardGraph &graph) : graph(graph) {
    graph.opsOfValues(useOffsets, uses);
    int32_t numDims = 0;
    for (int32_t v = 0; v < graph.numValues(); ++v) {
      firstDim.push_back(numDims);
      numDims += shapeOf(v).size();
    }
    isKnown.assign(numDims, false);
  }

  void run() {
    for (int32_t v = 0; v < graph.numValues(); ++v)
      seed(v);
    while (!worklist.empty()) {
      int32_t v = worklist.back();
      worklist.pop_back();
      for (int32_t i = useOffsets[v]; i < useOffsets[v + 1]; ++i)
        visit(uses[i]);
    }
  }

  bool knowsSomething(int32_t v) const {
    const ShardGraph::Shape &shape = shapeOf(v);
    bool hasDims = false;
    for (size_t d = 0; d < shape.size(); ++d) {
      hasDims |= shape[d] != 1;
      if (isKnown[firstDim[v] + d])
        return true;
    }
    return !hasDims; // Nothing to split.
  }

private:
  const ShardGraph::Shape &shapeOf(int32_t v) const { return graph.shape(graph.value(v).shape); }

  void seed(int32_t v) {
    const ShardGraph::Value &value = graph.value(v);
    if (value.sharding == ShardGraph::none)
      return;
    const Sharding &sharding = graph.sharding(value.sharding).sharding;
    bool seeded = false;
    for (size_t d = 0; d < sharding.dims.size(); ++d)
      if (!sharding.dims[d].axes.empty() || !sharding.dims[d].open)
        seeded = isKnown[firstDim[v] + d] = true;
    if (seeded)
      worklist.push_back(v);
  }

  void visit(int32_t index) {
    const ShardGraph::Op &op = graph.op(index);
    const OpRule &rule = graph.rule(op.rule);
    absl::Span<const int32_t> tensors = graph.tensorsOf(op);
    isFactorKnown.assign(rule.factors.size(), false);
    for (size_t t = 0; t < tensors.size(); ++t)
      for (size_t d = 0; d < rule.tensor(t).size(); ++d)
        if (isKnown[firstDim[tensors[t]] + d])
          for (int16_t factor : rule.tensor(t)[d])
            isFactorKnown[factor] = true;
    for (size_t t = 0; t < tensors.size(); ++t) {
      bool learns = false;
      for (size_t d = 0; d < rule.tensor(t).size(); ++d)
        for (int16_t factor : rule.tensor(t)[d])
          if (isFactorKnown[factor] && !isKnown[firstDim[tensors[t]] + d])
            learns = isKnown[firstDim[tensors[t]] + d] = true;
      if (learns)
        worklist.push_back(tensors[t]);
    }
  }

  const ShardGraph &graph;
  std::vector<int32_t> useOffsets, uses, firstDim, worklist;
  std::vector<bool> isKnown, isFactorKnown;
};

} // namespace

std::vector<Knowledge> classify(const ShardGraph &graph, const std::vector<bool> &isFree) {
  std::vector<Knowledge> knowledge;
  std::vector<int32_t> undecided; ///< What the value itself does not tell.
  for (int32_t v = 0; v < graph.numValues(); ++v) {
    const ShardGraph::Value &value = graph.value(v);
    bool isSharded = value.sharding != ShardGraph::none &&
                     !graph.sharding(value.sharding).sharding.isFullyReplicated();
    knowledge.push_back(isSharded                              ? Knowledge::sharded
                        : value.state == ShardingState::pinned ? Knowledge::wanted
                        : isFree[v]                            ? Knowledge::free
                                                               : Knowledge::nothing);
    if (knowledge.back() == Knowledge::nothing)
      undecided.push_back(v);
  }
  if (undecided.empty())
    return knowledge;
  Spread spread(graph);
  spread.run();
  for (int32_t v : undecided)
    if (spread.knowsSomething(v))
      knowledge[v] = Knowledge::wanted;
  return knowledge;
}

} // namespace spmd
