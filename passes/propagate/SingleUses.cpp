#include "spmd/passes/propagate/SingleUses.h"

#include <algorithm>

namespace spmd {

SingleUses::SingleUses(const ShardGraph &graph, const ValueUses &uses,
                       std::function<int32_t(int32_t)> placeOf,
                       absl::FunctionRef<bool(int32_t)> isGroup)
    : graph(graph), uses(uses), placeOf(std::move(placeOf)), flows(graph.numValues()) {
  for (int32_t op = 0; op < graph.numOps(); ++op)
    if (graph.op(op).numOperands == 1 && graph.op(op).numResults > 1 && !isGroup(op))
      flows[graph.tensorsOf(graph.op(op))[0]].edge = op;
  for (int32_t op = 0; op < graph.numOps(); ++op)
    for (int32_t v : graph.tensorsOf(graph.op(op)))
      if (Flow &flow = flows[v]; flow.edge != ShardGraph::none && flow.edge != op)
        ++(this->placeOf(op) < this->placeOf(flow.edge) ? flow.numInside : flow.numBehind);
}

bool SingleUses::areOperandsSingle(int32_t index) const {
  const ShardGraph::Op &op = graph.op(index);
  auto isSingle = [&](int32_t v) {
    const Flow &flow = flows[v];
    if (flow.edge == ShardGraph::none)
      return uses.of(v).size() <= 2; // Its maker and this op.
    if (flow.edge == index)
      return isHandedOnOnce(op);
    return (placeOf(index) < placeOf(flow.edge) ? flow.numInside : flow.numBehind) <= 1;
  };
  absl::Span<const int32_t> operands = graph.tensorsOf(op).first(op.numOperands);
  return std::all_of(operands.begin(), operands.end(), isSingle);
}

/// What a loop hands on as it came in is to Shardy what came in, and so are its uses.
bool SingleUses::isHandedOnOnce(const ShardGraph::Op &edge) const {
  absl::Span<const int32_t> tensors = graph.tensorsOf(edge);
  absl::Span<const int32_t> sources = tensors.subspan(1);
  bool isHandedOn = std::find(sources.begin(), sources.end(), tensors[0]) != sources.end();
  return !isHandedOn || std::all_of(sources.begin(), sources.end(), [&](int32_t source) {
    return source == tensors[0] || uses.of(source).size() <= 2;
  });
}

} // namespace spmd
