// Broadcasting ops, composites, constants and scans.

#include "spmd/dialect/chlo/Dialect.h"
#include "spmd/dialect/partitioning/Partitionable.h"
#include "spmd/dialect/partitioning/algorithms/Shards.h"
#include "spmd/dialect/sdy/Dialect.h"
#include "spmd/dialect/sdy/Replacing.h"
#include "spmd/dialect/spmd/ValueSharding.h"
#include "spmd/dialect/spmd/Walk.h"
#include "spmd/passes/legalize/Legalize.h"

#include "mlir/Dialect/Quant/IR/QuantTypes.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/TypeSwitch.h"

namespace spmd::legalize {

using mlir::Operation;
using mlir::Value;

//===- Replacing -----------------------------------------------------------===//

mlir::LogicalResult checkStatic(Operation *op) {
  auto check = [&](llvm::StringRef what, mlir::TypeRange types) -> mlir::LogicalResult {
    for (auto [i, type] : llvm::enumerate(types))
      if (mlir::RankedTensorType tensor = tensorTypeOf(type); tensor && !tensor.hasStaticShape())
        return op->emitOpError() << what << " " << i << " has type " << type
                                 << "; only static shapes can be expanded";
    return mlir::success();
  };
  return mlir::failure(mlir::failed(check("operand", op->getOperandTypes())) ||
                       mlir::failed(check("result", op->getResultTypes())));
}

mlir::LogicalResult reportElements(Operation *op, mlir::Type element) {
  mlir::InFlightDiagnostic diagnostic = op->emitOpError() << "has element type " << element
                                                          << ", for which there is no expansion";
  if (mlir::isa<mlir::quant::QuantizedType>(element))
    diagnostic << "; use stablehlo.uniform_dequantize on its operands";
  else if (!mlir::isa<chlo::NextAfterOp>(op)) // Neighbours in another type are other numbers.
    diagnostic << "; use stablehlo.convert to f32 on its operands";
  return diagnostic;
}

mlir::LogicalResult checkPlainElements(Operation *op) {
  constexpr unsigned plain =
      stablehlo::Pred | stablehlo::Int | stablehlo::Float | stablehlo::Complex;
  for (mlir::TypeRange types :
       {mlir::TypeRange(op->getOperandTypes()), mlir::TypeRange(op->getResultTypes())})
    for (mlir::Type type : types)
      if (mlir::RankedTensorType tensor = tensorTypeOf(type); !stablehlo::isTensorOf(tensor, plain))
        return reportElements(op, tensor.getElementType());
  return mlir::success();
}

/// Returns `value` held to the sharding that the user gave `result`.
static Value constrained(mlir::OpResult result, Value value) {
  ValueSharding pin = pinOf(result);
  if (!pin)
    return value;
  mlir::OpBuilder builder(result.getOwner());
  return sdy::ShardingConstraintOp::create(builder, result.getLoc(), value, pin.attr);
}

void replaceOp(Operation *op, mlir::ValueRange values) {
  llvm::SmallVector<Value> replacements(values);
  // What is an operand, or comes from several ops, has no one op to carry attributes.
  Operation *maker = values.empty() ? nullptr : values.front().getDefiningOp();
  bool isOfOneOp = maker && values == mlir::ValueRange(maker->getResults());
  if (isOfOneOp && !llvm::is_contained(op->getOperands(), values.front())) {
    sdy::giveAttributes(maker, op);
  } else {
    sdy::warnOfDroppedRule(op);
    for (auto [result, value] : llvm::zip(op->getResults(), replacements))
      value = constrained(result, value);
  }
  op->replaceAllUsesWith(replacements);
  op->erase();
}

//===- Broadcasting --------------------------------------------------------===//

/// Returns operand `index` in the shape of the result.
static Value broadcastOperand(mlir::OpBuilder &builder, Operation *op, unsigned index) {
  Value operand = op->getOperand(index);
  auto type = llvm::cast<mlir::RankedTensorType>(operand.getType());
  auto wanted = llvm::cast<mlir::RankedTensorType>(op->getResult(0).getType()).getShape();
  if (type.getShape() == wanted)
    return operand;
  return stablehlo::BroadcastInDimOp::create(builder, op->getLoc(), type.clone(wanted), operand,
                                             chlo::resultDimsOf(op, index));
}

template <typename Op>
static Value pointwise(mlir::OpBuilder &builder, Operation *op, mlir::ValueRange operands) {
  return Op::create(builder, op->getLoc(), op->getResultTypes()[0], operands[0], operands[1]);
}

static Value compared(mlir::OpBuilder &builder, chlo::BroadcastCompareOp op,
                      mlir::ValueRange operands) {
  auto direction = static_cast<stablehlo::ComparisonDirection>(op.getComparisonDirection());
  stablehlo::ComparisonTypeAttr type;
  if (op.getCompareType())
    type = stablehlo::ComparisonTypeAttr::get(
        op.getContext(), static_cast<stablehlo::ComparisonType>(*op.getCompareType()));
  return stablehlo::CompareOp::create(builder, op.getLoc(), op.getType(), operands[0], operands[1],
                                      direction, type);
}

/// Returns the op that a broadcasting op is on operands of one shape; null for other ops.
static Value onEqualShapes(mlir::OpBuilder &builder, Operation *op, mlir::ValueRange operands) {
  namespace hlo = stablehlo;
#define SPMD_POINTWISE(Broadcast, Op)                                                              \
  .Case<chlo::Broadcast>([&](auto) { return pointwise<Op>(builder, op, operands); })
  return llvm::TypeSwitch<Operation *, Value>(op) SPMD_POINTWISE(BroadcastAddOp, hlo::AddOp)
      SPMD_POINTWISE(BroadcastAndOp, hlo::AndOp) SPMD_POINTWISE(BroadcastAtan2Op, hlo::Atan2Op)
          SPMD_POINTWISE(BroadcastComplexOp, hlo::ComplexOp) SPMD_POINTWISE(
              BroadcastDivOp, hlo::DivOp) SPMD_POINTWISE(BroadcastMaxOp, hlo::MaxOp)
              SPMD_POINTWISE(BroadcastMinOp, hlo::MinOp) SPMD_POINTWISE(BroadcastMulOp, hlo::MulOp)
                  SPMD_POINTWISE(BroadcastNextAfterOp,
                                 chlo::NextAfterOp) SPMD_POINTWISE(BroadcastOrOp, hlo::OrOp)
                      SPMD_POINTWISE(BroadcastPolygammaOp, chlo::PolygammaOp) SPMD_POINTWISE(
                          BroadcastPowOp, hlo::PowOp) SPMD_POINTWISE(BroadcastRemOp, hlo::RemOp)
                          SPMD_POINTWISE(BroadcastShiftLeftOp, hlo::ShiftLeftOp) SPMD_POINTWISE(
                              BroadcastShiftRightArithmeticOp, hlo::ShiftRightArithmeticOp)
                              SPMD_POINTWISE(BroadcastShiftRightLogicalOp, hlo::ShiftRightLogicalOp)
                                  SPMD_POINTWISE(BroadcastSubOp, hlo::SubtractOp)
                                      SPMD_POINTWISE(BroadcastXorOp, hlo::XorOp)
                                          SPMD_POINTWISE(BroadcastZetaOp, chlo::ZetaOp)
                                              .Case<chlo::BroadcastCompareOp>([&](auto compare) {
                                                return compared(builder, compare, operands);
                                              })
                                              .Case<chlo::BroadcastSelectOp>([&](auto) {
                                                return hlo::SelectOp::create(
                                                    builder, op->getLoc(), op->getResultTypes()[0],
                                                    operands[0], operands[1], operands[2]);
                                              })
                                              .Default([](auto) { return nullptr; });
#undef SPMD_POINTWISE
}

/// Returns the user's rule of a broadcasting op as that of the op on operands of one shape: dims
/// that are not repeated have the factors that they had, the others those of the result. Null if
/// the user says nothing, or says of two dims that they are one.
static sdy::OpShardingRuleAttr ruleOnEqualShapes(Operation *op) {
  sdy::OpShardingRuleAttr users = sdy::getCustomRule(op);
  if (!users)
    return {};
  OpRule rule = users.getRule();
  auto wanted = llvm::cast<mlir::RankedTensorType>(op->getResult(0).getType()).getShape();
  for (unsigned i = 0; i < op->getNumOperands(); ++i) {
    auto shape = llvm::cast<mlir::RankedTensorType>(op->getOperand(i).getType()).getShape();
    TensorFactors factors = rule.results[0];
    for (auto [d, dim] : llvm::enumerate(chlo::resultDimsOf(op, i)))
      if (shape[d] == wanted[dim])
        factors[dim] = rule.operands[i][d];
    rule.operands[i] = std::move(factors);
  }
  rule.dropUnused();
  std::vector<std::vector<int64_t>> results{wanted.vec()},
      operands(op->getNumOperands(), results[0]);
  if (!verify(rule, operands, results).ok())
    return {};
  return sdy::OpShardingRuleAttr::get(op->getContext(), rule);
}

static void expandBroadcast(Operation *op) {
  mlir::OpBuilder builder(op);
  llvm::SmallVector<Value, 3> operands;
  for (unsigned i = 0; i < op->getNumOperands(); ++i)
    operands.push_back(broadcastOperand(builder, op, i));
  Value result = onEqualShapes(builder, op, operands);
  sdy::OpShardingRuleAttr rule = ruleOnEqualShapes(op);
  if (rule)
    op->removeDiscardableAttr(sdy::shardingRuleName);
  replaceOp(op, result);
  if (rule)
    result.getDefiningOp()->setDiscardableAttr(sdy::shardingRuleName, rule);
}

//===- Composites ----------------------------------------------------------===//

static bool hasTypesOf(stablehlo::CompositeOp op, mlir::func::FuncOp callee) {
  return callee && mlir::TypeRange(op->getOperandTypes()) == callee.getArgumentTypes() &&
         mlir::TypeRange(op->getResultTypes()) == callee.getResultTypes();
}

static void replaceByCall(stablehlo::CompositeOp op, mlir::func::FuncOp callee) {
  // A call lies as its function does.
  sdy::warnOfDroppedRule(op);
  op->removeDiscardableAttr(sdy::shardingRuleName);
  mlir::OpBuilder builder(op);
  auto call = mlir::func::CallOp::create(builder, op.getLoc(), callee, op.getInputs());
  replaceOp(op, call.getResults());
}

/// Replaces a composite by the call of its decomposition.
static mlir::LogicalResult expandComposite(stablehlo::CompositeOp op,
                                           mlir::SymbolTableCollection &tables) {
  auto callee = tables.lookupNearestSymbolFrom<mlir::func::FuncOp>(op, op.getDecompositionAttr());
  if (!hasTypesOf(op, callee))
    return op.emitOpError() << "has types that differ from those of its decomposition "
                            << op.getDecompositionAttr() << "; only equal ones can be expanded";
  replaceByCall(op, callee);
  return mlir::success();
}

bool isComposite(mlir::Operation *op) { return llvm::isa<stablehlo::CompositeOp>(op); }

bool isSplitByRule(mlir::Operation *op, mlir::SymbolTableCollection &tables) {
  auto composite = llvm::dyn_cast<stablehlo::CompositeOp>(op);
  auto isStatic = [](mlir::Type type) {
    auto tensor = llvm::dyn_cast<mlir::RankedTensorType>(type);
    return tensor && tensor.hasStaticShape();
  };
  if (!composite || !op->hasAttr(sdy::shardingRuleName) ||
      !composite.getCompositeRegions().empty() || !llvm::all_of(op->getOperandTypes(), isStatic) ||
      !llvm::all_of(op->getResultTypes(), isStatic))
    return false;
  auto callee =
      tables.lookupNearestSymbolFrom<mlir::func::FuncOp>(op, composite.getDecompositionAttr());
  return hasTypesOf(composite, callee) && !callee.isExternal();
}

void callDecompositions(mlir::ModuleOp module) {
  mlir::SymbolTable symbols(module);
  module.walk([&](stablehlo::CompositeOp op) {
    auto callee = symbols.lookup<mlir::func::FuncOp>(op.getDecomposition());
    if (hasTypesOf(op, callee) && !callee.isExternal() && op.getCompositeRegions().empty() &&
        !op->hasAttr(sdy::shardingRuleName))
      replaceByCall(op, callee);
  });
}

//===- Constants -----------------------------------------------------------===//

static void expandConstant(chlo::ConstantOp op) {
  mlir::OpBuilder builder(op);
  replaceOp(op, stablehlo::ConstantOp::create(builder, op.getLoc(), op.getType(), op.getValue())
                    ->getResults());
}

static mlir::LogicalResult expandConstantLike(chlo::ConstantLikeOp op) {
  mlir::OpBuilder builder(op);
  auto type = llvm::cast<mlir::RankedTensorType>(op.getType());
  if (!llvm::isa<mlir::IntegerAttr, mlir::FloatAttr>(op.getValue()))
    return op.emitOpError() << "value is " << op.getValue()
                            << "; only an integer or a float can be expanded";
  auto splat = mlir::DenseElementsAttr::get(type, mlir::Attribute(op.getValue()));
  replaceOp(op, stablehlo::ConstantOp::create(builder, op.getLoc(), type, splat)->getResults());
  return mlir::success();
}

//===- Scans ---------------------------------------------------------------===//

namespace {

/// A scan as a loop. It carries the step, the carries, and the outputs so far.
class ScanLoop {
public:
  explicit ScanLoop(chlo::ScanOp scan)
      : scan(scan), builder(scan), loc(scan.getLoc()), dim(scan.getDimension()),
        indexType(mlir::RankedTensorType::get(
            {}, builder.getIntegerType(llvm::isInt<32>(numSteps()) ? 32 : 64))) {}

  void expand() {
    llvm::SmallVector<Value> outputs;
    for (Value output : scan.getOutputs())
      outputs.push_back(fillConstant(builder, loc, tensorTypeOf(output), FillValue::zero));
    if (numSteps() == 0) { // No slice could be taken, not even in a loop that never runs.
      llvm::append_range(outputs, scan.getInits());
      return replaceOp(scan, outputs);
    }
    llvm::SmallVector<Value> start{scalar(0)};
    llvm::append_range(start, scan.getInits());
    llvm::append_range(start, outputs);
    auto loop = stablehlo::WhileOp::create(builder, loc, mlir::TypeRange(start), start);
    addCondition(loop.getCond(), mlir::TypeRange(start));
    addBody(loop.getBody(), mlir::TypeRange(start));
    llvm::SmallVector<Value> results(loop->getResults().drop_front(1 + scan.getInits().size()));
    llvm::append_range(results, loop->getResults().slice(1, scan.getInits().size()));
    replaceOp(scan, results);
  }

private:
  int64_t numSteps() {
    if (scan.getScanDimSize())
      return *scan.getScanDimSize();
    Value sized = scan.getInputs().empty() ? scan.getOutputs().front() : scan.getInputs().front();
    return tensorTypeOf(sized).getDimSize(dim);
  }

  Value scalar(int64_t number) {
    return stablehlo::ConstantOp::create(
        builder, loc, indexType,
        mlir::DenseElementsAttr::get(indexType,
                                     builder.getIntegerAttr(indexType.getElementType(), number)));
  }

  mlir::Block *addBlock(mlir::Region &region, mlir::TypeRange types) {
    mlir::Block *block = builder.createBlock(&region);
    for (mlir::Type type : types)
      block->addArgument(type, loc);
    return block;
  }

  void addCondition(mlir::Region &region, mlir::TypeRange types) {
    mlir::OpBuilder::InsertionGuard guard(builder);
    mlir::Block *block = addBlock(region, types);
    Value isLess =
        stablehlo::CompareOp::create(builder, loc, block->getArgument(0), scalar(numSteps()),
                                     stablehlo::ComparisonDirection::LT);
    stablehlo::ReturnOp::create(builder, loc, isLess);
  }

  void addBody(mlir::Region &region, mlir::TypeRange types) {
    mlir::OpBuilder::InsertionGuard guard(builder);
    mlir::Block *block = addBlock(region, types);
    Value step = block->getArgument(0), place = step;
    if (scan.getIsReverse())
      place = stablehlo::SubtractOp::create(builder, loc, scalar(numSteps() - 1), step);
    mlir::Block &inner = scan.getBody().front();
    size_t numInputs = scan.getInputs().size(), numCarries = scan.getInits().size(),
           numOutputs = scan.getOutputs().size();
    mlir::IRMapping mapping;
    for (auto [i, input] : llvm::enumerate(scan.getInputs()))
      mapping.map(inner.getArgument(i), sliceAt(input, place, inner.getArgument(i).getType()));
    for (size_t i = 0; i < numCarries; ++i)
      mapping.map(inner.getArgument(numInputs + i), block->getArgument(1 + i));
    for (mlir::Operation &op : inner.without_terminator())
      builder.clone(op, mapping);
    llvm::SmallVector<Value> returned;
    for (Value value : inner.getTerminator()->getOperands())
      returned.push_back(mapping.lookupOrDefault(value));
    llvm::SmallVector<Value> next{stablehlo::AddOp::create(builder, loc, step, scalar(1))};
    llvm::append_range(next, llvm::ArrayRef(returned).drop_front(numOutputs));
    for (size_t i = 0; i < numOutputs; ++i)
      next.push_back(updateAt(block->getArgument(1 + numCarries + i), place, returned[i]));
    stablehlo::ReturnOp::create(builder, loc, next);
  }

  /// Start indices: `place` in the scan's dim, 0 elsewhere.
  llvm::SmallVector<Value> indices(int64_t rank, Value place) {
    llvm::SmallVector<Value> all(rank, rank > 1 ? scalar(0) : place);
    all[dim] = place;
    return all;
  }

  Value sliceAt(Value tensor, Value place, mlir::Type type) {
    mlir::RankedTensorType whole = tensorTypeOf(tensor);
    llvm::SmallVector<int64_t> sizes(whole.getShape());
    sizes[dim] = 1;
    Value slice = stablehlo::DynamicSliceOp::create(builder, loc, tensor,
                                                    indices(whole.getRank(), place), sizes);
    return stablehlo::ReshapeOp::create(builder, loc, type, slice);
  }

  Value updateAt(Value tensor, Value place, Value slice) {
    mlir::RankedTensorType whole = tensorTypeOf(tensor);
    llvm::SmallVector<int64_t> sizes(whole.getShape());
    sizes[dim] = 1;
    Value update =
        stablehlo::ReshapeOp::create(builder, loc, whole.clone(llvm::ArrayRef(sizes)), slice);
    return stablehlo::DynamicUpdateSliceOp::create(builder, loc, whole, tensor, update,
                                                   indices(whole.getRank(), place));
  }

  chlo::ScanOp scan;
  mlir::OpBuilder builder;
  mlir::Location loc;
  int64_t dim;
  mlir::RankedTensorType indexType;
};

} // namespace

static mlir::LogicalResult expandScan(chlo::ScanOp scan) {
  if (mlir::failed(checkPlainElements(scan)))
    return mlir::failure();
  ScanLoop(scan).expand();
  return mlir::success();
}

//===- All -----------------------------------------------------------------===//

static mlir::LogicalResult expandAbbreviation(Operation *op, mlir::SymbolTableCollection &tables) {
  if (mlir::failed(checkStatic(op)))
    return mlir::failure();
  if (auto composite = llvm::dyn_cast<stablehlo::CompositeOp>(op))
    return expandComposite(composite, tables);
  if (auto constant = llvm::dyn_cast<chlo::ConstantOp>(op))
    expandConstant(constant);
  else if (auto constant = llvm::dyn_cast<chlo::ConstantLikeOp>(op))
    return expandConstantLike(constant);
  else if (auto scan = llvm::dyn_cast<chlo::ScanOp>(op))
    return expandScan(scan);
  else
    expandBroadcast(op);
  return mlir::success();
}

mlir::LogicalResult expandAbbreviations(mlir::ModuleOp module, ShouldKeep shouldKeep) {
  // Inner ops come first, so that the body of a scan is expanded before it is cloned.
  llvm::SmallVector<Operation *> found;
  forEachOp(module, [&](Operation *op) {
    bool isComposed = llvm::isa_and_present<chlo::ChloDialect>(op->getDialect());
    bool isShort = isComposed
                       ? op->hasTrait<chlo::Broadcasting>() ||
                             llvm::isa<chlo::ConstantOp, chlo::ConstantLikeOp, chlo::ScanOp>(op)
                       : llvm::isa<stablehlo::CompositeOp>(op);
    if (isShort && !shouldKeep(op))
      found.push_back(op);
  });
  bool failed = false;
  mlir::SymbolTableCollection tables;
  for (Operation *op : found)
    failed |= mlir::failed(expandAbbreviation(op, tables));
  return mlir::failure(failed);
}

} // namespace spmd::legalize
