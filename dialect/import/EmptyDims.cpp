#include "spmd/dialect/import/EmptyDims.h"

#include "spmd/dialect/sdy/Dialect.h"

namespace spmd {

/// Returns `sharding`, of a value of type `type`, without axes on dims of size 0; null if it has
/// none there.
static sdy::ShardingAttr withoutEmptyDims(sdy::ShardingAttr sharding, mlir::Type type) {
  auto tensor = llvm::dyn_cast<mlir::RankedTensorType>(type);
  if (!sharding || !tensor || !llvm::is_contained(tensor.getShape(), 0))
    return {};
  ShardingSpec spec = sharding.getSpec();
  bool isChanged = false;
  for (auto [dim, size] : llvm::zip(spec.dims, tensor.getShape())) {
    if (size != 0 || dim.axes.empty())
      continue;
    dim.axes.clear();
    if (!dim.open)
      dim.priority.reset();
    isChanged = true;
  }
  return isChanged ? sdy::ShardingAttr::get(sharding.getContext(), sharding.getMeshOrRef(), spec)
                   : nullptr;
}

void dropAxesOfEmptyDims(mlir::ModuleOp module) {
  auto visit = [](mlir::ValueRange values) {
    for (mlir::Value value : values)
      if (auto tensor = llvm::dyn_cast<mlir::RankedTensorType>(value.getType());
          tensor && llvm::is_contained(tensor.getShape(), 0))
        if (sdy::ShardingAttr rest = withoutEmptyDims(sdy::getSharding(value), tensor))
          sdy::setSharding(value, rest);
  };
  module.walk([&](mlir::Operation *op) {
    visit(op->getResults());
    for (mlir::Region &region : op->getRegions())
      for (mlir::Block &block : region)
        visit(block.getArguments());
  });
  for (auto func : module.getOps<mlir::func::FuncOp>())
    for (auto [i, type] : llvm::enumerate(func.getResultTypes()))
      if (sdy::ShardingAttr rest = withoutEmptyDims(sdy::getFuncResultSharding(func, i), type))
        sdy::setFuncResultSharding(func, i, rest);
}

} // namespace spmd
