// Custom calls that frontends write where StableHLO has no dynamic form of an op, and assertions.
//
//     %r = stablehlo.custom_call @stablehlo.dynamic_top_k(%x, %k)          k is an operand
//     stablehlo.custom_call @shape_assertion(%holds, %sizes..) {error_message = ".. {0} .."}
//     %r = stablehlo.custom_call @any(%x, %shape) {indices_of_shape_operands = dense<1> : ..}
#include "spmd/passes/refine/StaticForms.h"

#include "spmd/dialect/chlo/Dialect.h"
#include "spmd/dialect/stablehlo/Dialect.h"
#include "spmd/dialect/stablehlo/InferSizes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/SymbolTable.h"

namespace spmd {

namespace hlo = stablehlo;
using mlir::FailureOr;
using mlir::LogicalResult;
using mlir::Operation;
using mlir::RankedTensorType;
using mlir::Value;
using Sizes = llvm::SmallVector<int64_t>;

constexpr llvm::StringLiteral shapeOperandsName = "indices_of_shape_operands";
/// The windows of a reduce_window, behind its inputs and initial values.
constexpr unsigned numWindowOperands = 5;

namespace {

/// Makes the static form of one call.
class CallForm {
public:
  CallForm(hlo::CustomCallOp call, const KnownInts &known)
      : call(call), known(known), builder(call), loc(call.getLoc()) {}

  FailureOr<Operation *> reduceWindow();
  FailureOr<Operation *> topK();
  FailureOr<Operation *> rngBits();
  FailureOr<Operation *> withoutShapes();

private:
  Sizes numbers(unsigned index) { return *known.numbers(call.getOperand(index)); }
  LogicalResult expectCounts(unsigned numOperands, unsigned numResults);
  LogicalResult fillBody(mlir::Region &region);

  FailureOr<Operation *> replaceBy(Operation *made) {
    if (mlir::failed(inferResults(made)))
      return mlir::failure();
    call->replaceAllUsesWith(made);
    call.erase();
    return made;
  }

  hlo::CustomCallOp call;
  const KnownInts &known;
  mlir::OpBuilder builder;
  mlir::Location loc;
};

LogicalResult CallForm::expectCounts(unsigned numOperands, unsigned numResults) {
  if (call.getNumOperands() == numOperands && call.getNumResults() == numResults)
    return mlir::success();
  return call.emitOpError() << "calls '" << call.getCallTargetName() << "' with "
                            << call.getNumOperands() << " operands and " << call.getNumResults()
                            << " results, expected " << numOperands << " and " << numResults;
}

/// The function that the call names becomes a region.
LogicalResult CallForm::fillBody(mlir::Region &region) {
  mlir::ArrayAttr names = call.getCalledComputations();
  auto reducer = names.size() == 1 ? mlir::SymbolTable::lookupNearestSymbolFrom<mlir::func::FuncOp>(
                                         call, llvm::cast<mlir::FlatSymbolRefAttr>(names[0]))
                                   : nullptr;
  if (!reducer || !llvm::hasSingleElement(reducer.getBody()))
    return call.emitOpError() << "calls '" << call.getCallTargetName()
                              << "', whose called_computations must name one function with a body";
  mlir::IRMapping mapping;
  reducer.getBody().cloneInto(&region, mapping);
  Operation *last = region.front().getTerminator();
  mlir::OpBuilder end(last);
  hlo::ReturnOp::create(end, last->getLoc(), last->getOperands());
  last->erase();
  return mlir::success();
}

/// Operands: inputs, initial values, then sizes, strides, base dilations, window dilations,
/// padding.
FailureOr<Operation *> CallForm::reduceWindow() {
  unsigned count = call.getNumResults(), first = 2 * count;
  if (count == 0 || mlir::failed(expectCounts(first + numWindowOperands, count)))
    return count ? FailureOr<Operation *>(mlir::failure()) : call.emitOpError("has no results");
  mlir::ValueRange operands = call.getOperands();
  auto list = [&](unsigned i) { return builder.getDenseI64ArrayAttr(numbers(first + i)); };
  Sizes padding = numbers(first + 4);
  auto table =
      RankedTensorType::get({static_cast<int64_t>(padding.size() / 2), 2}, builder.getI64Type());
  if (padding.size() % 2 != 0)
    return call.emitOpError() << "operand " << first + 4 << " has " << padding.size()
                              << " entries, expected two a dim",
           mlir::failure();
  auto made = hlo::ReduceWindowOp::create(
      builder, loc, call.getResultTypes(), operands.take_front(count), operands.slice(count, count),
      list(0), list(1), list(2), list(3), mlir::DenseIntElementsAttr::get(table, padding));
  if (mlir::failed(fillBody(made.getBody())))
    return mlir::failure();
  return replaceBy(made);
}

/// Operands: the tensor, k.
FailureOr<Operation *> CallForm::topK() {
  if (mlir::failed(expectCounts(2, 2)))
    return mlir::failure();
  Sizes k = numbers(1);
  if (k.size() != 1)
    return call.emitOpError() << "operand 1 has " << k.size() << " elements, expected k",
           mlir::failure();
  return replaceBy(chlo::TopKOp::create(builder, loc, call.getResultTypes(), call.getOperand(0),
                                        builder.getI64IntegerAttr(k.front()),
                                        /*is_stable=*/mlir::BoolAttr()));
}

/// Operands: the state, the shape of the output.
FailureOr<Operation *> CallForm::rngBits() {
  auto algorithm = call->getAttrOfType<hlo::RngAlgorithmAttr>("rng_algorithm");
  if (mlir::failed(expectCounts(2, 2)))
    return mlir::failure();
  if (!algorithm)
    return call.emitOpError() << "calls '" << call.getCallTargetName()
                              << "' without an rng_algorithm",
           mlir::failure();
  FailureOr<RankedTensorType> type = typeBySizes(call, /*result=*/1, /*operand=*/1, known);
  if (mlir::failed(type))
    return mlir::failure();
  return replaceBy(hlo::RngBitGeneratorOp::create(builder, loc, call.getResult(0).getType(), *type,
                                                  algorithm, call.getOperand(0)));
}

/// Drops operands that only say the shapes of the results, one for each.
FailureOr<Operation *> CallForm::withoutShapes() {
  llvm::SmallVector<unsigned> shapes = sizeOperandsOfCall(call);
  if (shapes.size() != call.getNumResults())
    return call.emitOpError() << shapeOperandsName << " has " << shapes.size()
                              << " entries, there are " << call.getNumResults() << " results",
           mlir::failure();
  llvm::SmallVector<mlir::Type> types;
  for (unsigned i = 0; i < call.getNumResults(); ++i) {
    FailureOr<RankedTensorType> shaped = typeBySizes(call, i, shapes[i], known);
    if (mlir::failed(shaped))
      return mlir::failure();
    types.push_back(*shaped);
  }
  auto made = llvm::cast<hlo::CustomCallOp>(builder.clone(*call));
  made->removeAttr(shapeOperandsName);
  for (auto [result, type] : llvm::zip(made->getResults(), types))
    result.setType(type);
  llvm::BitVector dropped(call.getNumOperands());
  for (unsigned shape : shapes)
    dropped.set(shape);
  made->eraseOperands(dropped);
  auto place = [&](unsigned operand) {
    return operand - llvm::count_if(shapes, [&](unsigned shape) { return shape < operand; });
  };
  if (std::optional<mlir::ArrayAttr> layouts = call.getOperandLayouts()) {
    llvm::SmallVector<mlir::Attribute> kept;
    for (auto [i, layout] : llvm::enumerate(*layouts))
      if (!llvm::is_contained(shapes, i))
        kept.push_back(layout);
    made.setOperandLayoutsAttr(builder.getArrayAttr(kept));
  }
  llvm::SmallVector<mlir::Attribute> aliases;
  for (auto alias : call.getOutputOperandAliases().getAsRange<hlo::OutputOperandAliasAttr>())
    aliases.push_back(hlo::OutputOperandAliasAttr::get(
        alias.getContext(), alias.getOutputTupleIndices(), place(alias.getOperandIndex()),
        alias.getOperandTupleIndices()));
  if (!aliases.empty())
    made.setOutputOperandAliasesAttr(builder.getArrayAttr(aliases));
  return replaceBy(made);
}

} // namespace

static bool isCallOf(Operation *op, llvm::StringRef target) {
  auto call = llvm::dyn_cast<hlo::CustomCallOp>(op);
  return call && call.getCallTargetName() == target;
}

bool isShapeAssertion(Operation *op) { return isCallOf(op, "shape_assertion"); }

llvm::SmallVector<unsigned> sizeOperandsOfCall(Operation *op) {
  unsigned count = op->getNumOperands();
  auto from = [&](unsigned first) {
    return llvm::to_vector(llvm::seq<unsigned>(std::min(first, count), count));
  };
  if (isShapeAssertion(op))
    return from(0);
  if (isCallOf(op, "stablehlo.dynamic_reduce_window"))
    return from(count - std::min(count, numWindowOperands));
  if (isCallOf(op, "stablehlo.dynamic_top_k") ||
      isCallOf(op, "stablehlo.dynamic_rng_bit_generator"))
    return from(1);
  llvm::SmallVector<unsigned> numbers;
  if (auto list = op->getAttrOfType<mlir::DenseIntElementsAttr>(shapeOperandsName))
    if (list.getNumElements() <= static_cast<int64_t>(count))
      for (const llvm::APInt &number : list.getValues<llvm::APInt>())
        if (number.ult(count))
          numbers.push_back(number.getZExtValue());
  return numbers;
}

FailureOr<Operation *> replaceByStaticCall(Operation *op, const KnownInts &known) {
  CallForm form(llvm::cast<hlo::CustomCallOp>(op), known);
  if (isCallOf(op, "stablehlo.dynamic_reduce_window"))
    return form.reduceWindow();
  if (isCallOf(op, "stablehlo.dynamic_top_k"))
    return form.topK();
  if (isCallOf(op, "stablehlo.dynamic_rng_bit_generator"))
    return form.rngBits();
  if (op->hasAttr(shapeOperandsName))
    return form.withoutShapes();
  return static_cast<Operation *>(nullptr);
}

/// Returns `text` with `{0}`, `{1}` .. replaced by `sizes`.
static std::string filledIn(llvm::StringRef text, llvm::ArrayRef<int64_t> sizes) {
  std::string filled;
  while (!text.empty()) {
    size_t number, length = text.take_front(8).find('}');
    if (text.front() == '{' && length != llvm::StringRef::npos &&
        !text.slice(1, length).getAsInteger(10, number) && number < sizes.size()) {
      filled += std::to_string(sizes[number]);
      text = text.drop_front(length + 1);
    } else {
      filled += text.front();
      text = text.drop_front();
    }
  }
  return filled;
}

LogicalResult checkAssertion(Operation *op, const KnownInts &known) {
  Sizes sizes;
  for (Value operand : op->getOperands())
    sizes.append(*known.numbers(operand));
  bool holds = sizes.empty() || sizes.front() != 0;
  if (holds)
    return op->erase(), mlir::success();
  auto message = op->getAttrOfType<mlir::StringAttr>("error_message");
  return op->emitOpError() << "does not hold: "
                           << filledIn(message ? message.getValue() : "no message",
                                       llvm::ArrayRef(sizes).drop_front());
}

} // namespace spmd
