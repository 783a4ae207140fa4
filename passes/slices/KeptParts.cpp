#include "spmd/passes/slices/KeptParts.h"

#include "spmd/dialect/sdy/Dialect.h"
#include "spmd/dialect/stablehlo/Dialect.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/SetVector.h"

namespace spmd {

/// So many reads are looked at behind a sum, and so many values before each that it meets.
constexpr size_t mostReads = 256, mostBefore = 16;

/// Whether `op` makes each element of one of each operand, in whatever order.
static bool isLight(mlir::Operation *op, StrategyCache &strategies) {
  return op->getNumResults() == 1 && op->getNumRegions() == 0 &&
         llvm::isa<stablehlo::StablehloDialect>(op->getDialect()) &&
         (llvm::isa<stablehlo::ReshapeOp, stablehlo::TransposeOp>(op) ||
          isElementwise(op, strategies));
}

bool KeptParts::take(mlir::Value sum, StrategyCache &strategies) const {
  llvm::SetVector<mlir::Value> waiting;
  waiting.insert(sum);
  size_t numReads = 0;
  for (size_t i = 0; i < waiting.size(); ++i) {
    mlir::Value value = waiting[i];
    if (values.contains(value))
      return true;
    for (mlir::OpOperand &use : value.getUses()) {
      mlir::Operation *user = use.getOwner();
      if (++numReads > mostReads)
        return false;
      if (llvm::isa<mlir::func::ReturnOp>(user) &&
          results.contains({user->getParentOp(), use.getOperandNumber()}))
        return true;
      if (llvm::isa<sdy::ShardingConstraintOp>(user) && values.contains(user->getResult(0)))
        return true;
      if (llvm::isa<stablehlo::OptimizationBarrierOp>(user))
        waiting.insert(user->getResult(use.getOperandNumber()));
      if (!isLight(user, strategies))
        continue;
      for (mlir::Value other : user->getOperands())
        if (!waiting.contains(other) && comesFromParts(other, strategies))
          return true;
      waiting.insert(user->getResult(0));
    }
  }
  return false;
}

/// Whether `value` is made of one that is kept in parts, by ops of elements.
bool KeptParts::comesFromParts(mlir::Value value, StrategyCache &strategies) const {
  llvm::SetVector<mlir::Value> waiting;
  waiting.insert(value);
  for (size_t i = 0; i < waiting.size() && i < mostBefore; ++i) {
    if (values.contains(waiting[i]))
      return true;
    if (mlir::Operation *maker = waiting[i].getDefiningOp(); maker && isLight(maker, strategies))
      waiting.insert(maker->operand_begin(), maker->operand_end());
  }
  return false;
}

} // namespace spmd
