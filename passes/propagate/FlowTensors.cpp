#include "spmd/passes/propagate/FlowTensors.h"

namespace spmd {

FlowTensors::FlowTensors(const ProgramGraph &program) {
  for (const ProgramGraph::Instance &instance : program.instances) {
    const ProgramGraph::Body &body = program.bodies[instance.body];
    for (const ProgramGraph::FlowOp &flowOp : body.flowOps)
      for (auto [i, tensor] : llvm::enumerate(flowOp.tensors))
        if (tensor != ShardGraph::none)
          flows.try_emplace(instance.firstValue + tensor,
                            FlowPlace{flowOp.op, static_cast<unsigned>(i)});
    for (const ProgramGraph::ManualRegion &region : body.manualRegions)
      for (mlir::BlockArgument inside : region.op->getRegion(0).getArguments())
        if (int32_t v = program.valueOf(instance, inside); v != ShardGraph::none)
          flows.try_emplace(v, FlowPlace{region.op, inside.getArgNumber()});
  }
}

std::optional<FlowPlace> FlowTensors::flowOf(int32_t v) const {
  auto found = flows.find(v);
  if (found == flows.end())
    return std::nullopt;
  return found->second;
}

} // namespace spmd
