#include "spmd/passes/optimize/AlikeValues.h"

#include "spmd/dialect/stablehlo/Dialect.h"

#include "mlir/IR/OperationSupport.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace spmd {

using mlir::OperationEquivalence;

bool AlikeValues::isLink(mlir::Operation *op) {
  return op->getNumResults() == 1 && op->getNumRegions() == 0 &&
         !llvm::isa<stablehlo::OptimizationBarrierOp>(op) &&
         !op->hasTrait<stablehlo::Collective>() && mlir::isMemoryEffectFree(op);
}

void AlikeValues::learn(mlir::Value value, int depth) {
  mlir::Operation *op = value.getDefiningOp();
  if (depth == 0 || !op || op->getBlock() != block || !isLink(op) || firsts.contains(op))
    return;
  for (mlir::Value operand : op->getOperands())
    learn(operand, depth - 1);
  mlir::Operation *alike = firstKnown(op);
  firsts[op] = alike;
}

mlir::Value AlikeValues::firstLearnt(mlir::Value value) const {
  mlir::Operation *op = firsts.lookup(value.getDefiningOp());
  return op ? op->getResult(0) : value;
}

mlir::Value AlikeValues::first(mlir::Value value) {
  learn(value, mostLinks);
  return firstLearnt(value);
}

bool AlikeValues::areAlike(mlir::Operation *a, mlir::Operation *b) const {
  llvm::DenseMap<mlir::Value, mlir::Value> inside; // Values of their regions.
  return OperationEquivalence::isEquivalentTo(
      a, b,
      [&](mlir::Value x, mlir::Value y) {
        return mlir::success(x == y || inside.lookup(x) == y || firstLearnt(x) == firstLearnt(y));
      },
      [&](mlir::Value x, mlir::Value y) { inside[x] = y; }, OperationEquivalence::IgnoreLocations);
}

mlir::Operation *AlikeValues::firstAlike(mlir::Operation *op) {
  for (mlir::Value operand : op->getOperands())
    learn(operand, mostLinks);
  return firstKnown(op);
}

mlir::Operation *AlikeValues::firstKnown(mlir::Operation *op) {
  size_t hash = OperationEquivalence::computeHash(
      op, [&](mlir::Value value) { return mlir::hash_value(firstLearnt(value)); },
      OperationEquivalence::ignoreHashValue, OperationEquivalence::IgnoreLocations);
  // What has the hash of another, and is not alike, has the next number that is free.
  // Half of all numbers, as DenseMap reserves two.
  for (uint32_t key = static_cast<uint32_t>(hash) / 2;; ++key) {
    auto [entry, isNew] = known.try_emplace(key, op);
    if (isNew || areAlike(entry->second, op))
      return entry->second;
  }
}

} // namespace spmd
