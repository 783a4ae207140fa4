#include "spmd/passes/reshard/ElementWork.h"

#include "spmd/dialect/spmd/DataFlow.h"

#include "mlir/Interfaces/CallInterfaces.h"

namespace spmd {

bool makesOneTensor(mlir::Operation *op) {
  return op->getNumResults() == 1 && op->getNumRegions() == 0 && tensorTypeOf(op->getResult(0)) &&
         !llvm::isa<mlir::CallOpInterface, DataFlow>(op);
}

const OpRule *ruleOfElementWork(mlir::Operation *op, StrategyCache &cache) {
  const Strategies *strategies = makesOneTensor(op) ? cache.lookup(op) : nullptr;
  if (!strategies || strategies->empty())
    return nullptr;
  const OpRule &rule = strategies->front().rule;
  auto passes = [](const Factor &factor) { return factor.kind == FactorKind::pass; };
  return rule.operands.size() == op->getNumOperands() && llvm::all_of(rule.factors, passes)
             ? &rule
             : nullptr;
}

bool cutsNoLess(const MeshSharding &layout, const MeshSharding &other) {
  auto numPieces = [](const Sharding &sharding) {
    int64_t count = 1;
    for (const DimSharding &dim : sharding.dims)
      count *= sizeOf(dim.axes);
    return count;
  };
  return layout.mesh == other.mesh && numPieces(layout.sharding) >= numPieces(other.sharding);
}

} // namespace spmd
