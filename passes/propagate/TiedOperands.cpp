#include "spmd/passes/propagate/TiedOperands.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"

namespace spmd {

llvm::SmallVector<mlir::Value> operandsTiedTo(mlir::OpResult result, StrategyCache &strategies) {
  mlir::Operation *op = result.getOwner();
  const Strategies *known = op->getNumResults() > 1 ? strategies.lookup(op) : nullptr;
  llvm::SmallVector<mlir::Value> tied;
  if (known && !known->empty()) {
    const OpRule &rule = known->front().rule;
    llvm::SmallDenseSet<int32_t> factors;
    for (const DimFactors &dim : rule.results[result.getResultNumber()])
      factors.insert(dim.begin(), dim.end());
    auto shares = [&](const DimFactors &dim) {
      return llvm::any_of(dim, [&](int32_t factor) { return factors.contains(factor); });
    };
    for (auto [operand, dims] : llvm::zip(op->getOperands(), rule.operands))
      if (llvm::any_of(dims, shares))
        tied.push_back(operand);
  }
  return tied.empty() ? llvm::SmallVector<mlir::Value>(op->getOperands()) : tied;
}

} // namespace spmd
