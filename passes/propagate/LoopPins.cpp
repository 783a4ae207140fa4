#include "spmd/passes/propagate/LoopPins.h"

#include "spmd/dialect/spmd/DataFlow.h"
#include "spmd/ir/sharding/Spec.h"

namespace spmd {

static void remarkMoved(mlir::Operation *loop, unsigned flow, mlir::OpOperand *returned,
                        ValueSharding pin, const Mesh &mesh, const Sharding &carried) {
  mlir::InFlightDiagnostic remark = mlir::emitRemark(loop->getLoc())
                                    << "'" << loop->getName() << "' op carries value " << flow
                                    << " as " << toSpec(mesh, carried.layout()).str()
                                    << ", but its body returns it as " << pin.attr.getSpec().str()
                                    << "; it is moved in every turn";
  remark.attachNote(returned->get().getLoc()) << "pinned here";
  if (ValueSharding before = pinOf(loop->getOperand(flow)))
    remark.attachNote(loop->getOperand(flow).getLoc())
        << "comes in as " << before.attr.getSpec().str();
}

/// Looks at one flow of a loop, which is carried as `carried`.
static void checkFlow(ShardingCodec &codec, mlir::Operation *loop, unsigned index, const Flow &flow,
                      const MeshSharding &carried) {
  for (mlir::OpOperand *source : flow.sources) {
    ValueSharding pin = pinOf(source->get());
    if (source->getOwner() == loop || !isClosed(pin))
      continue;
    const MeshSharding *pinned = codec.decode(pin.attr);
    if (!pinned || codec.mesh(pinned->mesh).axes().empty()) // Any mesh will do.
      continue;
    if (pinned->mesh != carried.mesh || pinned->sharding.layout() != carried.sharding.layout())
      remarkMoved(loop, index, source, pin, codec.mesh(carried.mesh), carried.sharding);
  }
}

void remarkMovedCarries(ProgramGraph &program) {
  std::vector<bool> isSeen(program.bodies.size(), false);
  for (const ProgramGraph::Instance &instance : program.instances) {
    if (isSeen[instance.body])
      continue;
    isSeen[instance.body] = true;
    for (const ProgramGraph::FlowOp &flowOp : program.bodies[instance.body].flowOps) {
      auto loop = llvm::cast<DataFlow>(flowOp.op);
      if (!loop.isLoop())
        continue;
      for (auto [i, flow] : llvm::enumerate(loop.getFlows())) {
        if (flowOp.tensors[i] == ShardGraph::none)
          continue;
        int32_t carried = program.graph.value(instance.firstValue + flowOp.tensors[i]).sharding;
        if (carried != ShardGraph::none)
          checkFlow(program.codec, loop, i, flow, program.graph.sharding(carried));
      }
    }
  }
}

} // namespace spmd
