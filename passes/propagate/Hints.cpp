#include "spmd/passes/propagate/Hints.h"

#include "spmd/ir/sharding/Excluding.h"

namespace spmd {

/// Lets open dims of `known` take what `hint` has beyond them. Returns whether any did.
static bool takeHint(Sharding &known, const Sharding &hint) {
  bool changed = false;
  for (size_t d = 0; d < known.dims.size(); ++d) {
    DimSharding &dim = known.dims[d];
    if (!dim.open || !isPrefix(dim.axes, hint.dims[d].axes))
      continue;
    AxisList more = afterPrefix(dim.axes, hint.dims[d].axes);
    if (more.empty() || exclude(more, known.usedAxes(/*withReplicated=*/true)))
      continue;
    dim.axes = hint.dims[d].axes;
    changed = true;
  }
  return changed;
}

std::vector<int32_t> applyHints(ProgramGraph &program, History *history) {
  std::vector<int32_t> changed;
  ShardGraph &graph = program.graph;
  for (const ProgramGraph::Instance &instance : program.instances) {
    if (!instance.manualAxes.empty())
      continue;
    for (const auto &[tensor, attr] : program.bodies[instance.body].hints) {
      ShardGraph::Value &value = graph.value(instance.firstValue + tensor);
      const MeshSharding *hint = program.codec.decode(attr);
      if (!hint || value.state == ShardingState::pinned || graph.mesh(hint->mesh).axes().empty())
        continue;
      MeshSharding known = {hint->mesh,
                            Sharding::replicatedOf(hint->sharding.rank(), /*open=*/true)};
      if (value.sharding != ShardGraph::none)
        known = graph.sharding(value.sharding);
      if (known.mesh != hint->mesh || !takeHint(known.sharding, hint->sharding))
        continue;
      int32_t before = std::exchange(value.sharding, graph.internSharding(known));
      if (history)
        history->changes.push_back({instance.firstValue + tensor, before, value.sharding,
                                    ShardGraph::none, history->numSteps, Change::Cause::hint});
      value.state = ShardingState::inferred;
      changed.push_back(instance.firstValue + tensor);
    }
  }
  return changed;
}

void dropHints(ProgramGraph &program) {
  for (const ProgramGraph::Body &body : program.bodies)
    for (mlir::Operation *op : body.hintedOps)
      op->removeDiscardableAttr(hintAttrName);
}

} // namespace spmd
