#include "spmd/passes/propagate/BeforeLoops.h"

#include "spmd/dialect/spmd/Sizes.h"

namespace spmd {

mlir::Value BeforeLoops::heldFor(DataFlow loop, const Flow &flow) {
  if (!isHandedOn(loop, flow))
    return {};
  bool isReadByIndex = llvm::any_of(flow.targets, [&](mlir::Value target) {
    return llvm::any_of(target.getUses(), [&](mlir::OpOperand &use) {
      const Strategies *known = strategies.lookup(use.getOwner());
      return known && readsByIndex(known->front().rule, use.getOperandNumber());
    });
  });
  mlir::Value held = flow.sources.front()->get();
  uint64_t bytes = bytesOf(held);
  if (isReadByIndex || bytes > bytesLeft)
    return {};
  bytesLeft -= bytes;
  for (mlir::OpOperand *source : flow.sources)
    if (source->getOwner() == loop)
      held = source->get();
  return held;
}

} // namespace spmd
