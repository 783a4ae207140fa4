#include "spmd/dialect/partitioning/Families.h"

#include "spmd/dialect/chlo/Dialect.h"
#include "spmd/dialect/sdy/Dialect.h"
#include "spmd/dialect/spmd/Dialect.h"
#include "spmd/dialect/stablehlo/Dialect.h"

namespace spmd {

void registerPartitioning(mlir::DialectRegistry &registry) {
  registry.addExtension(+[](mlir::MLIRContext *context, stablehlo::StablehloDialect *) {
    for (auto attach :
         {attachElementwise, attachCreation, attachShape, attachReshape, attachContraction,
          attachReduction, attachIndexing, attachCalls, attachCollectives, attachControlFlow,
          attachFft, attachLinearAlgebra, attachRandom, attachReduceWindow, attachSort,
          attachDynamicSlice, attachScatter, attachSelectAndScatter})
      attach(context);
  });
  registry.addExtension(
      +[](mlir::MLIRContext *context, chlo::ChloDialect *) { attachChlo(context); });
  registry.addExtension(
      +[](mlir::MLIRContext *context, sdy::SdyDialect *) { attachSharding(context); });
  registry.addExtension(+[](mlir::MLIRContext *context, SpmdDialect *) {
    attachBuffers(context);
    attachMoves(context);
  });
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

namespace {

/// What an i1 is for each of the four pairs of arguments: bit 2 * a + b.
using TruthTable = uint8_t;
constexpr TruthTable always = 0b1111;

/// Returns the truth table of an op on `operands`, or nothing if it is not known.
std::optional<TruthTable> truthOf(mlir::Operation &op, llvm::ArrayRef<TruthTable> operands) {
  using Truth = std::optional<TruthTable>;
  auto isEqual = [&] { return always & ~(operands[0] ^ operands[1]); };
  return llvm::TypeSwitch<mlir::Operation *, Truth>(&op)
      .Case<stablehlo::AndOp, stablehlo::MulOp, stablehlo::MinOp>(
          [&](auto) -> Truth { return operands[0] & operands[1]; })
      .Case<stablehlo::OrOp, stablehlo::AddOp, stablehlo::MaxOp>(
          [&](auto) -> Truth { return operands[0] | operands[1]; })
      .Case<stablehlo::XorOp>([&](auto) -> Truth { return operands[0] ^ operands[1]; })
      .Case<stablehlo::NotOp>([&](auto) -> Truth { return always & ~operands[0]; })
      .Case<stablehlo::SelectOp>([&](auto) -> Truth {
        return (operands[0] & operands[1]) | (always & ~operands[0] & operands[2]);
      })
      .Case<stablehlo::ConstantOp>([&](auto constant) -> Truth {
        auto values = llvm::dyn_cast<mlir::DenseElementsAttr>(constant.getValue());
        bool isFlag = values && values.isSplat() && values.getElementType().isInteger(1);
        if (!isFlag)
          return std::nullopt;
        return values.template getSplatValue<bool>() ? always : 0;
      })
      .Case<stablehlo::CompareOp>([&](auto compare) -> Truth {
        if (compare.getComparisonDirection() == stablehlo::ComparisonDirection::EQ)
          return isEqual();
        if (compare.getComparisonDirection() == stablehlo::ComparisonDirection::NE)
          return always & ~isEqual();
        return std::nullopt;
      })
      .Default([](auto) -> Truth { return std::nullopt; });
}

/// Returns the kind of a reducer of i1 that is several ops, as `select(a != false || b != false,
/// true, false)` is.
std::optional<ReductionKind> booleanReductionOf(mlir::Block &block) {
  mlir::Type flag =
      mlir::RankedTensorType::get({}, mlir::IntegerType::get(block.getParentOp()->getContext(), 1));
  if (!llvm::all_of(block.getArgumentTypes(), [&](mlir::Type type) { return type == flag; }))
    return std::nullopt;
  llvm::SmallDenseMap<mlir::Value, TruthTable> truths{{block.getArgument(0), 0b1100},
                                                      {block.getArgument(1), 0b1010}};
  auto known = [&](mlir::Value operand) -> std::optional<TruthTable> {
    if (auto found = truths.find(operand); found != truths.end())
      return found->second;
    auto constant = operand.getDefiningOp<stablehlo::ConstantOp>(); // Maybe outside of the body.
    return constant ? truthOf(*constant, {}) : std::nullopt;
  };
  for (mlir::Operation &op : block.without_terminator()) {
    llvm::SmallVector<TruthTable> operands;
    for (mlir::Value operand : op.getOperands()) {
      std::optional<TruthTable> truth = known(operand);
      if (!truth)
        return std::nullopt;
      operands.push_back(*truth);
    }
    if (op.getNumResults() != 1 || op.getResult(0).getType() != flag)
      return std::nullopt;
    std::optional<TruthTable> truth = truthOf(op, operands);
    if (!truth)
      return std::nullopt;
    truths[op.getResult(0)] = *truth;
  }
  auto result = truths.find(block.getTerminator()->getOperand(0));
  if (result == truths.end())
    return std::nullopt;
  return result->second == 0b1000   ? std::optional(ReductionKind::logicalAnd)
         : result->second == 0b1110 ? std::optional(ReductionKind::logicalOr)
         : result->second == 0b0110 ? std::optional(ReductionKind::logicalXor)
                                    : std::nullopt;
}

} // namespace

std::optional<ReductionKind> reductionOf(mlir::Region &body) {
  if (!body.hasOneBlock() || body.front().getNumArguments() != 2)
    return std::nullopt;
  mlir::Block &block = body.front();
  mlir::Operation *terminator = block.getTerminator();
  if (terminator->getNumOperands() != 1)
    return std::nullopt;
  mlir::Operation *op = terminator->getOperand(0).getDefiningOp();
  if (!op || op->getBlock() != &block)
    return std::nullopt;
  mlir::Value a = block.getArgument(0), b = block.getArgument(1);
  auto areArguments = [&](mlir::ValueRange operands) {
    return operands.size() == 2 &&
           ((operands[0] == a && operands[1] == b) || (operands[0] == b && operands[1] == a));
  };
  bool onArguments = areArguments(op->getOperands());
  if (!onArguments)
    return booleanReductionOf(block);
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
