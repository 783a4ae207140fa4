#include "spmd/passes/propagate/Neighbours.h"

namespace spmd {

/// Takes the nearer of two; the one that was there first if they are equally near.
static void take(Neighbours::Near &own, Neighbours::Near other) {
  if (other.value && (!own.value || other.distance < own.distance))
    own = other;
}

Neighbours::Neighbours(mlir::func::FuncOp func, llvm::function_ref<bool(mlir::Value)> isSharded) {
  std::vector<mlir::Operation *> ops;
  func.getBody().walk<mlir::WalkOrder::PreOrder>([&](mlir::Operation *op) {
    comeTo(op, isSharded);
    ops.push_back(op);
  });
  for (auto op = ops.rbegin(); op != ops.rend(); ++op)
    leave(*op, isSharded);
}

/// What the results of `op` and the arguments of its regions are made of.
void Neighbours::comeTo(mlir::Operation *op, Test isSharded) {
  Near nearest;
  for (mlir::Value operand : op->getOperands())
    take(nearest, isSharded(operand) ? Near{operand, 0} : before.lookup(operand));
  if (!nearest.value)
    return;
  ++nearest.distance;
  auto set = [&](mlir::Value value) { before[value] = nearest; };
  for (mlir::Value result : op->getResults())
    set(result);
  for (mlir::Region &region : op->getRegions())
    for (mlir::Block &block : region)
      for (mlir::Value argument : block.getArguments())
        set(argument);
}

/// What the operands of `op` are used for.
void Neighbours::leave(mlir::Operation *op, Test isSharded) {
  Near nearest;
  for (mlir::Value result : op->getResults())
    take(nearest, isSharded(result) ? Near{result, 0} : behind.lookup(result));
  if (!nearest.value)
    return;
  ++nearest.distance;
  for (mlir::Value operand : op->getOperands())
    take(behind[operand], nearest);
}

} // namespace spmd
