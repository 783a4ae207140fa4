#include "spmd/passes/optimize/SameOnDevices.h"

#include "spmd/dialect/spmd/ByName.h"
#include "spmd/dialect/spmd/DataFlow.h"
#include "spmd/dialect/stablehlo/Dialect.h"

#include "mlir/IR/Matchers.h"
#include "llvm/ADT/SetVector.h"

namespace spmd {

/// Appends what `value` is made of. Returns false if it may be made otherwise on each device.
static bool addSources(mlir::Value value, llvm::SetVector<mlir::Value> &all) {
  if (auto argument = llvm::dyn_cast<mlir::BlockArgument>(value)) {
    auto loop = llvm::dyn_cast<DataFlow>(argument.getOwner()->getParentOp());
    if (!loop || !loop.isLoop())
      return false;
    Flow flow = loop.getFlows()[argument.getArgNumber()];
    for (mlir::OpOperand *source : flow.sources)
      all.insert(source->get());
    return true;
  }
  mlir::Operation *op = value.getDefiningOp();
  if (mlir::matchPattern(op, mlir::m_Constant()))
    return true;
  if (op->getNumOperands() == 0 || !isPureByName(op) || op->hasTrait<stablehlo::Collective>())
    return false;
  all.insert(op->operand_begin(), op->operand_end());
  return true;
}

bool isSameOnDevices(mlir::Value value, size_t mostValues) {
  llvm::SetVector<mlir::Value> all;
  all.insert(value);
  for (size_t i = 0; i < all.size(); ++i) // It grows.
    if (all.size() > mostValues || !addSources(all[i], all))
      return false;
  return true;
}

} // namespace spmd
