#include "spmd/passes/reshard/Waiting.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/SmallBitVector.h"

namespace spmd {

void markAhead(mlir::Operation *op, const OpKind &kind, Values &values) {
  const TensorParts &parts = kind.lightParts;
  for (size_t part = 0; part < parts.size(); ++part) {
    auto isEarly = [&](int32_t i) {
      mlir::Value operand = op->getOperand(i);
      return values.isAhead(operand) || values.isFree(operand);
    };
    if (llvm::all_of(parts.operands(part), isEarly))
      for (int32_t i : parts.results(part))
        values.markAhead(op->getResult(i));
  }
}

void markWaited(mlir::Operation *op, const OpKind &kind, Values &values) {
  if (llvm::isa<mlir::func::ReturnOp>(op))
    return;
  if (kind.isPlacement) {
    if (op->getNumResults() > 0 && values.isWaitedFor(op->getResult(0)))
      values.markWaitedFor(op->getOperand(0));
    return;
  }
  llvm::SmallBitVector isOnItsWay(op->getNumOperands());
  const TensorParts &parts = kind.lightParts;
  for (size_t part = 0; part < parts.size(); ++part)
    if (llvm::none_of(parts.results(part),
                      [&](int32_t i) { return values.isWaitedFor(op->getResult(i)); }))
      for (int32_t i : parts.operands(part))
        isOnItsWay.set(i);
  for (auto [i, operand] : llvm::enumerate(op->getOperands()))
    if (!isOnItsWay[i])
      values.markWaitedFor(operand);
  for (mlir::Region &region : op->getRegions())
    region.walk([&](mlir::Operation *inner) {
      for (mlir::Value operand : inner->getOperands())
        values.markWaitedFor(operand);
    });
}

} // namespace spmd
