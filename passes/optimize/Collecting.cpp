#include "spmd/passes/optimize/Collecting.h"

#include "spmd/dialect/partitioning/Families.h"
#include "spmd/dialect/stablehlo/Dialect.h"

#include "mlir/IR/Builders.h"

namespace spmd {

using namespace stablehlo;

std::optional<ReductionKind> collectedKind(mlir::Operation *op) {
  auto type = op->getNumResults() == 1
                  ? llvm::dyn_cast<mlir::RankedTensorType>(op->getResult(0).getType())
                  : nullptr;
  bool isBoolean = type && type.getElementType().isInteger(1);
  if (llvm::isa<AddOp>(op))
    return isBoolean ? ReductionKind::logicalOr : ReductionKind::sum;
  if (llvm::isa<MulOp>(op))
    return isBoolean ? ReductionKind::logicalAnd : ReductionKind::product;
  if (llvm::isa<MaxOp>(op))
    return isBoolean ? ReductionKind::logicalOr : ReductionKind::max;
  if (llvm::isa<MinOp>(op))
    return isBoolean ? ReductionKind::logicalAnd : ReductionKind::min;
  if (llvm::isa<AndOp>(op))
    return ReductionKind::logicalAnd;
  if (llvm::isa<OrOp>(op))
    return ReductionKind::logicalOr;
  if (llvm::isa<XorOp>(op))
    return ReductionKind::logicalXor;
  return std::nullopt;
}

mlir::Operation *reductionFor(mlir::OpOperand &use) {
  return reductionFor(use, collectedKind(use.getOwner()));
}

mlir::Operation *reductionFor(mlir::OpOperand &use, std::optional<ReductionKind> kind) {
  mlir::Operation *owner = use.getOwner(), *reduction = use.get().getDefiningOp();
  if (!llvm::isa_and_nonnull<AllReduceOp, ReduceScatterOp>(reduction) ||
      reduction->getNumOperands() != 1 || !reduction->hasOneUse() ||
      reduction->getBlock() != owner->getBlock())
    return nullptr;
  auto elementOf = [](mlir::Value value) {
    return llvm::cast<mlir::ShapedType>(value.getType()).getElementType();
  };
  if (elementOf(reduction->getOperand(0)) != elementOf(use.get()))
    return nullptr; // It reduces in a wider type than that of what it is given.
  return kind && kindOf(reduction) == kind ? reduction : nullptr;
}

std::optional<ReductionKind> kindOf(mlir::Operation *reduction) {
  return reductionOf(reduction->getRegion(0));
}

mlir::Operation *reductionWrittenInto(mlir::OpOperand &use) {
  auto update = llvm::dyn_cast<DynamicUpdateSliceOp>(use.getOwner());
  if (!update || use.getOperandNumber() != 0)
    return nullptr;
  mlir::OpOperand &rows = update.getUpdateMutable();
  auto reduction = rows.get().getDefiningOp<AllReduceOp>();
  return reduction ? reductionFor(rows, kindOf(reduction)) : nullptr;
}

int64_t numberingOf(mlir::Operation *op) {
  auto channel = op->getAttrOfType<ChannelHandleAttr>("channel_handle");
  bool isAmongPartitions = channel && channel.getHandle() > 0;
  return (isAmongPartitions ? 1 : 0) + (op->hasAttr("use_global_device_ids") ? 2 : 0);
}

mlir::Attribute attributesOf(mlir::Operation *op) {
  mlir::NamedAttrList list(llvm::cast<mlir::DictionaryAttr>(op->getPropertiesAsAttribute()));
  list.set("channel_handle", mlir::Builder(op).getI64IntegerAttr(numberingOf(op)));
  return list.getDictionary(op->getContext());
}

} // namespace spmd
