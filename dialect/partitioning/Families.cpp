#include "spmd/dialect/partitioning/Families.h"

#include "spmd/dialect/chlo/Dialect.h"
#include "spmd/dialect/sdy/Dialect.h"
#include "spmd/dialect/spmd/Dialect.h"
#include "spmd/dialect/stablehlo/Dialect.h"

namespace spmd {

void registerPartitioning(mlir::DialectRegistry &registry) {
  registry.addExtension(+[](mlir::MLIRContext *context, stablehlo::StablehloDialect *) {
    for (auto attach :
         {attachElementwise, attachCreation, attachShape, attachContraction, attachReduction,
          attachIndexing, attachCalls, attachCollectives, attachControlFlow, attachFft,
          attachLinearAlgebra, attachRandom, attachReduceWindow, attachSort, attachDynamicSlice,
          attachScatter, attachSelectAndScatter})
      attach(context);
  });
  registry.addExtension(
      +[](mlir::MLIRContext *context, chlo::ChloDialect *) { attachChlo(context); });
  registry.addExtension(
      +[](mlir::MLIRContext *context, sdy::SdyDialect *) { attachSharding(context); });
  registry.addExtension(+[](mlir::MLIRContext *context, SpmdDialect *) { attachBuffers(context); });
}

llvm::ArrayRef<int64_t> shapeOf(mlir::Value value) {
  mlir::RankedTensorType type = tensorTypeOf(value);
  return type ? type.getShape() : llvm::ArrayRef<int64_t>();
}

double numElements(mlir::Value value) {
  double count = 1;
  for (int64_t size : shapeOf(value))
    count *= static_cast<double>(size);
  return count;
}

RuleBuilder ruleFor(mlir::Operation *op) {
  RuleBuilder builder(op->getNumOperands(), op->getNumResults());
  for (mlir::OpOperand &operand : op->getOpOperands())
    builder.operandRank(operand.getOperandNumber(), shapeOf(operand.get()).size());
  for (mlir::OpResult result : op->getResults())
    builder.resultRank(result.getResultNumber(), shapeOf(result).size());
  return builder;
}

OpRule sameShapeRule(mlir::Operation *op) {
  RuleBuilder builder = ruleFor(op);
  llvm::ArrayRef<int64_t> shape = shapeOf(op->getResult(0));
  for (size_t d = 0; d < shape.size(); ++d) {
    int32_t factor = builder.factor(shape[d]);
    for (mlir::OpOperand &operand : op->getOpOperands())
      if (shapeOf(operand.get()).size() == shape.size())
        builder.operand(operand.getOperandNumber(), d, {factor});
    for (mlir::OpResult result : op->getResults())
      builder.result(result.getResultNumber(), d, {factor});
  }
  return builder.take();
}

std::optional<ReductionKind> joiningKind(mlir::Value value) {
  mlir::RankedTensorType type = tensorTypeOf(value);
  mlir::Type element = type ? type.getElementType() : mlir::Type();
  if (!element || !llvm::isa<mlir::IntegerType, mlir::FloatType, mlir::ComplexType>(element))
    return std::nullopt;
  return element.isInteger(1) ? ReductionKind::logicalOr : ReductionKind::sum;
}

std::optional<ReductionKind> reductionOf(mlir::Region &body) {
  if (!body.hasOneBlock() || body.front().getNumArguments() != 2)
    return std::nullopt;
  mlir::Block &block = body.front();
  mlir::Operation *terminator = block.getTerminator();
  if (terminator->getNumOperands() != 1)
    return std::nullopt;
  mlir::Operation *op = terminator->getOperand(0).getDefiningOp();
  if (!op || op->getBlock() != &block || op->getNumOperands() != 2)
    return std::nullopt;
  mlir::Value a = block.getArgument(0), b = block.getArgument(1);
  bool onArguments = (op->getOperand(0) == a && op->getOperand(1) == b) ||
                     (op->getOperand(0) == b && op->getOperand(1) == a);
  if (!onArguments)
    return std::nullopt;
  bool isPred = llvm::cast<mlir::RankedTensorType>(a.getType()).getElementType().isInteger(1);
  return llvm::TypeSwitch<mlir::Operation *, std::optional<ReductionKind>>(op)
      .Case<stablehlo::AddOp>(
          [&](auto) { return isPred ? ReductionKind::logicalOr : ReductionKind::sum; })
      .Case<stablehlo::MulOp>(
          [&](auto) { return isPred ? ReductionKind::logicalAnd : ReductionKind::product; })
      .Case<stablehlo::MaxOp>(
          [&](auto) { return isPred ? ReductionKind::logicalOr : ReductionKind::max; })
      .Case<stablehlo::MinOp>(
          [&](auto) { return isPred ? ReductionKind::logicalAnd : ReductionKind::min; })
      .Case<stablehlo::AndOp>([](auto) { return ReductionKind::logicalAnd; })
      .Case<stablehlo::OrOp>([](auto) { return ReductionKind::logicalOr; })
      .Case<stablehlo::XorOp>([](auto) { return ReductionKind::logicalXor; })
      .Default([](auto) { return std::nullopt; });
}

} // namespace spmd
