// Tells values that nothing reached from those that lie whole because the program wants it so.

#include "spmd/passes/propagate/Engine.h"

#include <algorithm>
#include <numeric>

namespace spmd {

namespace {

/// Spreads "this dim is as it should be" along factors, to a fixpoint. Each factor of an op is
/// spread once, so an op costs its factors times its tensors however many of these it learns from.
class Spread {
public:
  explicit Spread(const ShardGraph &graph) : graph(graph) {
    int32_t numDims = 0, numFactors = 0;
    for (int32_t v = 0; v < graph.numValues(); ++v) {
      firstDim.push_back(numDims);
      numDims += shapeOf(v).size();
    }
    for (int32_t op = 0; op < graph.numOps(); ++op) {
      firstFactor.push_back(numFactors);
      numFactors += graph.rule(graph.op(op).rule).numFactors();
    }
    isKnown.assign(numDims, false);
    isFactorKnown.assign(numFactors, false);
    listUses();
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

  /// Where a value is a tensor of an op.
  struct Use {
    int32_t op, tensor;
  };

  void listUses() {
    useOffsets.assign(graph.numValues() + 1, 0);
    for (int32_t op = 0; op < graph.numOps(); ++op)
      for (int32_t v : graph.tensorsOf(graph.op(op)))
        ++useOffsets[v + 1];
    std::partial_sum(useOffsets.begin(), useOffsets.end(), useOffsets.begin());
    uses.resize(useOffsets.back());
    std::vector<int32_t> next(useOffsets.begin(), useOffsets.end() - 1);
    for (int32_t op = 0; op < graph.numOps(); ++op) {
      absl::Span<const int32_t> tensors = graph.tensorsOf(graph.op(op));
      for (size_t t = 0; t < tensors.size(); ++t)
        uses[next[tensors[t]]++] = {op, static_cast<int32_t>(t)};
    }
  }

  /// Spreads the factors of one tensor's known dims.
  void visit(Use use) {
    const ShardGraph::Op &op = graph.op(use.op);
    const TensorFactors &factors = graph.rule(op.rule).tensor(use.tensor);
    int32_t v = graph.tensorsOf(op)[use.tensor];
    for (size_t d = 0; d < factors.size(); ++d)
      if (isKnown[firstDim[v] + d])
        for (int32_t factor : factors[d])
          if (auto known = isFactorKnown[firstFactor[use.op] + factor]; !known) {
            known = true;
            spread(op, factor);
          }
  }

  void spread(const ShardGraph::Op &op, int32_t factor) {
    const OpRule &rule = graph.rule(op.rule);
    absl::Span<const int32_t> tensors = graph.tensorsOf(op);
    for (size_t t = 0; t < tensors.size(); ++t)
      for (size_t d = 0; d < rule.tensor(t).size(); ++d) {
        int32_t dim = firstDim[tensors[t]] + static_cast<int32_t>(d);
        const DimFactors &factors = rule.tensor(t)[d];
        if (isKnown[dim] || std::find(factors.begin(), factors.end(), factor) == factors.end())
          continue;
        isKnown[dim] = true;
        worklist.push_back(tensors[t]);
      }
  }

  const ShardGraph &graph;
  std::vector<int32_t> useOffsets, firstDim, firstFactor, worklist;
  std::vector<Use> uses;
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
