#include "spmd/passes/refine/Body.h"

#include "spmd/dialect/chlo/Dialect.h"
#include "spmd/dialect/spmd/DataFlow.h"
#include "spmd/dialect/stablehlo/Dialect.h"
#include "spmd/dialect/stablehlo/InferSizes.h"
#include "spmd/passes/refine/Callees.h"
#include "spmd/passes/refine/StaticForms.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace spmd {

using mlir::LogicalResult;
using mlir::Operation;
using mlir::RankedTensorType;
using mlir::Value;

namespace {

/// Returns whether sizes of operands, or of results, are still open.
bool hasOpenOperand(Operation *op) {
  return llvm::any_of(op->getOperandTypes(), [](mlir::Type type) { return isDynamic(type); });
}
bool hasOpenResult(Operation *op) {
  return llvm::any_of(op->getResultTypes(), [](mlir::Type type) { return isDynamic(type); });
}

/// Returns whether sizes in the regions of `op` may depend on which of them runs.
bool isDynamicInside(Operation *op) {
  bool isIt = hasOpenResult(op);
  for (mlir::Region &region : op->getRegions())
    region.walk([&](Operation *inner) {
      isIt |= isDynamicOp(inner) || calleeOf(inner);
      return isIt ? mlir::WalkResult::interrupt() : mlir::WalkResult::advance();
    });
  return isIt;
}

class Body {
public:
  Body(Calls &calls, KnownInts &known, bool isShared)
      : calls(calls), known(known), isShared(isShared),
        evaluation(isShared ? nullptr : calls.evaluation()) {}

  void refine(mlir::Block &block) {
    for (Operation &op : llvm::make_early_inc_range(block))
      refine(&op);
  }

  /// Erases what nobody needs any more: arithmetic on sizes, and what was computed before the run.
  void dropDead(mlir::Block &block);

  bool failed = false;

private:
  void refine(Operation *op);
  void refineCall(Operation *op);
  static bool isKnown(const Version &version);
  void replaceByConstants(Operation *call, const Version &version);
  /// Puts the one branch that runs in the place of `op`, if that is known: others may not even make
  /// sense at the sizes at hand.
  bool choose(DataFlow op);
  void refineFlow(DataFlow op);
  void refineScan(chlo::ScanOp scan);
  void refineSized(Operation *op);

  /// Computes those of `values` that are not known. Returns whether all of them are known then; if
  /// not, says in `obstacle` why, where that is known.
  bool ask(llvm::ArrayRef<Value> values, std::optional<Obstacle> &obstacle);

  /// Narrows the type of `value` to that of `source`.
  static void narrow(Value value, Value source);

  void fail();
  void reportUnknown(Operation *op, const std::optional<Obstacle> &obstacle = {});
  void explain(mlir::InFlightDiagnostic &error, Value value);

  Calls &calls;
  KnownInts &known;
  const bool isShared;
  Evaluation *const evaluation;
};

} // namespace

void Body::narrow(Value value, Value source) {
  auto type = llvm::dyn_cast<RankedTensorType>(value.getType());
  auto other = llvm::dyn_cast<RankedTensorType>(source.getType());
  if (type && other && type.getRank() == other.getRank())
    value.setType(stablehlo::refined(type, other.getShape()));
}

void Body::refine(Operation *op) {
  if (calleeOf(op))
    return refineCall(op);
  if (auto flow = llvm::dyn_cast<DataFlow>(op))
    return refineFlow(flow);
  if (auto scan = llvm::dyn_cast<chlo::ScanOp>(op))
    return refineScan(scan);
  if (hasOpenOperand(op) || op->hasTrait<mlir::OpTrait::IsTerminator>())
    return; // What left an operand open is reported.
  if (mlir::failed(inferResults(op)))
    return fail();
  if (llvm::isa<stablehlo::GetDimensionSizeOp>(op) || !sizeOperands(op).empty())
    return refineSized(op);
  if (hasOpenResult(op))
    return reportUnknown(op);
  known.evaluate(op);
}

//===- Sizes as operands ---------------------------------------------------===//

bool Body::ask(llvm::ArrayRef<Value> values, std::optional<Obstacle> &obstacle) {
  llvm::SmallVector<Value> unknown;
  for (Value value : values)
    if (!known.lookup(value))
      unknown.push_back(value);
  if (unknown.empty())
    return true;
  auto canHold = [](Value value) { return KnownInts::canHold(value.getType()); };
  if (!evaluation || !llvm::all_of(unknown, canHold))
    return false;
  std::vector<Ints> elements;
  obstacle = evaluation->compute(unknown, elements);
  if (obstacle)
    return false;
  for (auto [value, found] : llvm::zip(unknown, elements))
    known.set(value, std::move(found));
  return true;
}

void Body::refineSized(Operation *op) {
  auto sizes = llvm::map_to_vector(sizeOperands(op),
                                   [&](unsigned operand) { return op->getOperand(operand); });
  bool areKnown = llvm::all_of(sizes, [&](Value size) { return known.lookup(size); });
  if (areKnown && isShapeAssertion(op)) {
    failed |= mlir::failed(checkAssertion(op, known));
    return;
  }
  mlir::FailureOr<Operation *> made =
      areKnown ? replaceByStaticForm(op, known) : replaceByMovingSlice(op, known);
  if (mlir::failed(made))
    return fail();
  op = *made ? *made : op;
  if (isShapeAssertion(op) || hasOpenResult(op)) {
    std::optional<Obstacle> obstacle;
    return !areKnown && ask(sizes, obstacle) ? refineSized(op) : reportUnknown(op, obstacle);
  }
  known.evaluate(
      op); // Sizes that are not known, of a result that is static, are checked by the run.
}

//===- Calls and regions ---------------------------------------------------===//

void Body::refineCall(Operation *op) {
  if (hasOpenOperand(op))
    return;
  llvm::SmallVector<const Ints *> elements;
  for (Value operand : op->getOperands())
    elements.push_back(known.lookup(operand));
  const Version *version = calls.versionFor(op, elements);
  if (!version) {
    if (hasOpenResult(op))
      reportUnknown(op);
    return;
  }
  if (version->failed)
    return fail();
  mlir::func::FuncOp func = version->func;
  if (!isShared && isKnown(*version) && calls.canDrop(op))
    return replaceByConstants(op, *version);
  setCallee(op, func.getSymName());
  for (auto [i, type] : llvm::enumerate(func.getResultTypes())) {
    op->getResult(i).setType(type);
    if (version->results[i])
      known.set(op->getResult(i), *version->results[i]);
  }
}

bool Body::isKnown(const Version &version) {
  return !version.results.empty() &&
         llvm::all_of(version.results, [](const std::optional<Ints> &each) { return each; });
}

void Body::replaceByConstants(Operation *call, const Version &version) {
  mlir::OpBuilder builder(call);
  for (auto [result, elements] : llvm::zip(call->getResults(), version.results)) {
    auto value = llvm::cast<mlir::ElementsAttr>(
        constantOf(llvm::cast<RankedTensorType>(result.getType()), *elements));
    Value constant = stablehlo::ConstantOp::create(builder, call->getLoc(), value);
    known.set(constant, *elements);
    result.replaceAllUsesWith(constant);
  }
  call->erase();
}

bool Body::choose(DataFlow op) {
  Value decision = op.getDecision();
  if (isShared || !decision)
    return false;
  std::optional<Obstacle> obstacle;
  if (evaluation && isDynamicInside(op))
    ask(decision, obstacle);
  std::optional<llvm::SmallVector<int64_t>> number = known.numbers(decision);
  if (!number || number->size() != 1)
    return false;
  mlir::Block &chosen = op->getRegion(op.getRegionFor(number->front())).front();
  llvm::SmallVector<Operation *> ops;
  for (Operation &inner : chosen.without_terminator())
    ops.push_back(&inner);
  Operation *last = chosen.getTerminator();
  for (Operation *inner : ops) {
    inner->moveBefore(op);
    refine(inner);
  }
  op->replaceAllUsesWith(last->getOperands());
  op->erase();
  return true;
}

void Body::refineFlow(DataFlow op) {
  if (choose(op))
    return;
  llvm::SmallVector<Flow, 0> flows = op.getFlows();
  bool isLocal = static_cast<bool>(op.getOwnManualAxes()); // Inside, shapes are those of shards.
  for (Flow &flow : flows)
    for (mlir::OpOperand *source : flow.sources) {
      if (source->getOwner() != op || isLocal)
        continue;
      // What every round passes on as it came stays as it came in.
      bool stays = llvm::all_of(flow.sources, [&](mlir::OpOperand *other) {
        return other == source || llvm::is_contained(flow.targets, other->get());
      });
      const Ints *elements = stays ? known.lookup(source->get()) : nullptr;
      std::optional<Ints> copy = elements ? std::make_optional(*elements) : std::nullopt;
      for (Value target : flow.targets) {
        narrow(target, source->get());
        if (stays && evaluation)
          evaluation->equate(target, source->get());
        if (copy)
          known.set(target, *copy);
      }
    }
  for (mlir::Region &region : op->getRegions())
    refine(region.front());
  for (Flow &flow : flows)
    for (mlir::OpOperand *source : flow.sources)
      for (Value target : flow.targets)
        if (source->getOwner() != op && target.getDefiningOp() == op && !isLocal)
          narrow(target, source->get());
  if (!failed && hasOpenResult(op))
    reportUnknown(op);
}

/// The body works on slices, without the dim that is scanned; carries keep their shapes.
void Body::refineScan(chlo::ScanOp scan) {
  if (hasOpenOperand(scan))
    return;
  int64_t dim = scan.getDimension(), numInputs = scan.getInputs().size(),
          numOutputs = scan.getOutputs().size(),
          steps = scan.getScanDimSize().value_or(mlir::ShapedType::kDynamic);
  mlir::Block &body = scan.getBody().front();
  auto give = [](Value value, llvm::ArrayRef<int64_t> shape) {
    if (auto type = llvm::dyn_cast<RankedTensorType>(value.getType());
        type && type.getRank() == static_cast<int64_t>(shape.size()))
      value.setType(stablehlo::refined(type, shape));
  };
  for (auto [i, input] : llvm::enumerate(scan.getInputs())) {
    llvm::SmallVector<int64_t> shape(llvm::cast<RankedTensorType>(input.getType()).getShape());
    steps = shape[dim];
    shape.erase(shape.begin() + dim);
    give(body.getArgument(i), shape);
  }
  for (auto [i, init, carry] : llvm::enumerate(scan.getInits(), scan.getCarries())) {
    narrow(body.getArgument(numInputs + i), init);
    narrow(carry, init);
  }
  refine(body);
  for (auto [output, slice] :
       llvm::zip(scan.getOutputs(), body.getTerminator()->getOperands().take_front(numOutputs))) {
    llvm::SmallVector<int64_t> shape(llvm::cast<RankedTensorType>(slice.getType()).getShape());
    shape.insert(shape.begin() + dim, steps);
    give(output, shape);
  }
  if (!failed && hasOpenResult(scan))
    reportUnknown(scan);
}

//===- Diagnostics ---------------------------------------------------------===//

/// What follows from what is wrong is not run.
void Body::fail() {
  failed = true;
  if (evaluation)
    evaluation->stop();
}

void Body::explain(mlir::InFlightDiagnostic &error, Value value) {
  while (Operation *op = value.getDefiningOp()) {
    Value unknown;
    for (Value operand : op->getOperands())
      if (!unknown && !known.lookup(operand) && KnownInts::canHold(operand.getType()))
        unknown = operand;
    if (!unknown)
      break;
    value = unknown;
  }
  error.attachNote(value.getLoc()) << "it follows from " << describeValue(value)
                                   << ", whose elements are known only when the program runs";
}

void Body::reportUnknown(Operation *op, const std::optional<Obstacle> &obstacle) {
  failed = true;
  if (obstacle && obstacle->reason.empty())
    return;
  for (unsigned operand : sizeOperands(op))
    if (Value value = op->getOperand(operand); !known.lookup(value)) {
      mlir::InFlightDiagnostic error = op->emitOpError();
      error << "operand " << operand
            << (isShapeAssertion(op) ? " is to be asserted" : " says sizes of the result");
      if (obstacle && !obstacle->value) {
        error << ", and cannot be computed: " << obstacle->reason;
        return;
      }
      error << ", and is not known before the program runs";
      if (!obstacle)
        return explain(error, value);
      error.attachNote(obstacle->value.getLoc())
          << "it follows from " << describeValue(obstacle->value) << obstacle->reason;
      return;
    }
  for (auto [i, type] : llvm::enumerate(op->getResultTypes()))
    if (isDynamic(type)) {
      op->emitOpError() << "result " << i << " has type " << type
                        << "; its sizes do not follow from the operands";
      return;
    }
}

//===- All -----------------------------------------------------------------===//

void Body::dropDead(mlir::Block &block) {
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(block))) {
    for (mlir::Region &region : op.getRegions())
      for (mlir::Block &inner : region)
        dropDead(inner);
    bool isArithmetic = op.getNumResults() > 0 && op.use_empty() &&
                        (evaluation || llvm::all_of(op.getResults(), [&](Value result) {
                           return known.lookup(result);
                         }));
    if (isArithmetic && (calleeOf(&op) ? calls.canDrop(&op) : mlir::isOpTriviallyDead(&op)))
      op.erase();
  }
}

LogicalResult refineBody(mlir::func::FuncOp func, Calls &calls, KnownInts &known, bool isShared) {
  if (!llvm::hasSingleElement(func.getBody()))
    return func.emitOpError() << "has " << func.getBody().getBlocks().size()
                              << " blocks; sizes are followed through functions of one";
  mlir::Block &block = func.getBody().front();
  if (!llvm::isa<mlir::func::ReturnOp>(block.back()))
    return block.back().emitOpError("ends a function; expected 'func.return'");
  Body body(calls, known, isShared);
  body.refine(block);
  if (body.failed)
    return mlir::failure();
  if (isShared)
    return mlir::success();
  body.dropDead(block);
  func.setType(mlir::FunctionType::get(func.getContext(), block.getArgumentTypes(),
                                       block.getTerminator()->getOperandTypes()));
  return mlir::success();
}

} // namespace spmd
