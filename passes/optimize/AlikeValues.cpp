#include "spmd/passes/optimize/AlikeValues.h"

#include "spmd/dialect/stablehlo/Dialect.h"

#include "mlir/IR/OperationSupport.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace spmd {

using mlir::OperationEquivalence;

bool AlikeValues::isLink(mlir::Operation *op) {
  return op->getNumOperands() == 1 && op->getNumResults() == 1 && op->getNumRegions() == 0 &&
         op->getOperand(0).getType() != op->getResult(0).getType() &&
         !op->hasTrait<stablehlo::Collective>() && mlir::isMemoryEffectFree(op);
}

void AlikeValues::learn(mlir::Value value) {
  llvm::SmallVector<mlir::Operation *, 8> chain;
  for (mlir::Operation *op = value.getDefiningOp();
       op && op->getBlock() == block && isLink(op) && !firsts.contains(op);
       op = op->getOperand(0).getDefiningOp())
    chain.push_back(op);
  for (mlir::Operation *link : llvm::reverse(chain)) {
    mlir::Operation *alike = firstAlike(link); // What it reads is known by now.
    firsts[link] = alike;
  }
}

mlir::Value AlikeValues::first(mlir::Value value) const {
  mlir::Operation *op = firsts.lookup(value.getDefiningOp());
  return op ? op->getResult(0) : value;
}

bool AlikeValues::areAlike(mlir::Operation *a, mlir::Operation *b) const {
  llvm::DenseMap<mlir::Value, mlir::Value> inside; // Values of their regions.
  return OperationEquivalence::isEquivalentTo(
      a, b,
      [&](mlir::Value x, mlir::Value y) {
        return mlir::success(x == y || inside.lookup(x) == y || first(x) == first(y));
      },
      [&](mlir::Value x, mlir::Value y) { inside[x] = y; }, OperationEquivalence::IgnoreLocations);
}

mlir::Operation *AlikeValues::firstAlike(mlir::Operation *op) {
  for (mlir::Value operand : op->getOperands())
    if (mlir::Operation *maker = operand.getDefiningOp(); maker && !firsts.contains(maker))
      learn(operand);
  size_t hash = OperationEquivalence::computeHash(
      op, [&](mlir::Value value) { return mlir::hash_value(first(value)); },
      OperationEquivalence::ignoreHashValue, OperationEquivalence::IgnoreLocations);
  llvm::SmallVector<mlir::Operation *, 1> &ofHash = known[hash];
  for (mlir::Operation *other : ofHash)
    if (areAlike(other, op))
      return other;
  ofHash.push_back(op);
  return op;
}

} // namespace spmd
