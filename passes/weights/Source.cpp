#include "spmd/passes/weights/Source.h"

#include "mlir/IR/Matchers.h"

namespace spmd {

namespace {

/// Longer computations between a product and what changes its dim are left alone.
constexpr int maxOps = 32;

bool isSplat(mlir::Value value) {
  mlir::DenseElementsAttr constant;
  return mlir::matchPattern(value, mlir::m_Constant(&constant)) && constant.isSplat();
}

} // namespace

std::optional<double> Source::cost(mlir::Value value, int64_t dim) {
  add(value, dim, /*isRoot=*/true);
  return hasProduct && isPossible ? std::optional(total) : std::nullopt;
}

std::optional<llvm::SmallVector<OperandDim>> Source::stepFrom(mlir::Value value, int64_t dim,
                                                              bool isRoot) const {
  mlir::Operation *op = value.getDefiningOp();
  if (!op || pinOf(value) || (!isRoot && !value.hasOneUse()))
    return std::nullopt;
  return changer.operandDims(op, dim);
}

void Source::add(mlir::Value value, int64_t dim, bool isRoot) {
  std::optional<llvm::SmallVector<OperandDim>> dims = stepFrom(value, dim, isRoot);
  if (!dims)
    return addChanged(value, dim);
  isPossible &= ++numOps <= maxOps && changer.layoutOf(value, dim);
  if (!isPossible)
    return;
  mlir::Operation *op = value.getDefiningOp();
  bool isProduct = llvm::isa<stablehlo::DotGeneralOp>(op);
  hasProduct |= isProduct;
  for (OperandDim each : *dims)
    if (isProduct)
      addChanged(op->getOperand(each.operand), each.dim);
    else
      add(op->getOperand(each.operand), each.dim, /*isRoot=*/false);
}

void Source::addChanged(mlir::Value value, int64_t dim) {
  isPossible &= changer.layoutOf(value, dim).has_value();
  if (isPossible && !isSplat(value))
    total += bytes.alongDim(value, dim);
}

mlir::Value Source::make(mlir::OpBuilder &builder, mlir::Value value, int64_t dim, bool isRoot) {
  std::optional<llvm::SmallVector<OperandDim>> dims = stepFrom(value, dim, isRoot);
  if (!dims)
    return changer.apply(builder, value, dim);
  mlir::Operation *op = value.getDefiningOp();
  llvm::SmallVector<mlir::Value> operands(op->getOperands());
  for (OperandDim each : *dims)
    operands[each.operand] = llvm::isa<stablehlo::DotGeneralOp>(op)
                                 ? changer.apply(builder, operands[each.operand], each.dim)
                                 : make(builder, operands[each.operand], each.dim, false);
  return changer.remake(builder, op, dim, operands);
}

} // namespace spmd
