// Searches for the largest elements by a custom call, as JAX emits them: @ApproxTopK may miss some
// of them, and exact ones will do.

#include "spmd/dialect/chlo/Dialect.h"
#include "spmd/dialect/partitioning/Partitionable.h"
#include "spmd/dialect/stablehlo/Dialect.h"
#include "spmd/passes/legalize/Legalize.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/IRMapping.h"

namespace spmd::legalize {

using namespace stablehlo;
using mlir::Value;

namespace {

/// A call of @ApproxTopK on some operands, then as many values that stand for none; its function
/// tells which of two elements of each operand come first.
class Search {
public:
  explicit Search(CustomCallOp call) : call(call), builder(call), loc(call.getLoc()) {}

  /// Returns whether the call is one whose meaning is known.
  bool read(const mlir::SymbolTable &symbols) {
    auto config = call->getAttrOfType<mlir::DictionaryAttr>("mhlo.backend_config");
    auto along = config ? config.getAs<mlir::IntegerAttr>("reduction_dim") : mlir::IntegerAttr();
    mlir::ArrayAttr names = call.getCalledComputations();
    if (!along || names.size() != 1 || call->getNumResults() == 0 ||
        call->getNumOperands() != 2 * call->getNumResults())
      return false;
    dim = along.getInt();
    comparator = symbols.lookup<mlir::func::FuncOp>(
        llvm::cast<mlir::FlatSymbolRefAttr>(names[0]).getValue());
    return haveShapes() && canInline();
  }

  mlir::func::FuncOp getComparator() const { return comparator; }

  /// Requires that the call was read. Its function may be left without a use.
  void replace() {
    call->removeDiscardableAttr("mhlo.backend_config");
    auto compare = comparator.getBody().front().getTerminator()->getOperand(0);
    replaceOp(call, isOfLargest(compare.getDefiningOp<CompareOp>())
                        ? searchLast(compare.getDefiningOp<CompareOp>())
                        : sortAll());
  }

private:
  static mlir::RankedTensorType typeOf(Value value) { return tensorTypeOf(value); }

  /// Operands and results differ in nothing but the number of rows.
  bool haveShapes() {
    mlir::RankedTensorType first = typeOf(call->getOperand(0));
    if (!first || !first.hasStaticShape() || dim < 0 || dim >= first.getRank())
      return false;
    for (auto [i, result] : llvm::enumerate(call->getResults())) {
      mlir::RankedTensorType from = typeOf(call->getOperand(i)), to = typeOf(result);
      if (!from || !to || !to.hasStaticShape() || from.getShape() != first.getShape() ||
          from.getElementType() != to.getElementType() || to.getRank() != first.getRank())
        return false;
      numRows = typeOf(call->getResult(0)).getDimSize(dim);
      llvm::SmallVector<int64_t> expected(first.getShape());
      expected[dim] = numRows;
      if (to.getShape() != llvm::ArrayRef(expected) || numRows > first.getDimSize(dim))
        return false;
    }
    return true;
  }

  bool canInline() {
    if (!comparator || !comparator.getBody().hasOneBlock())
      return false;
    mlir::Block &body = comparator.getBody().front();
    if (body.getNumArguments() != 2 * call->getNumResults() ||
        body.getTerminator()->getNumOperands() != 1)
      return false;
    for (mlir::BlockArgument argument : body.getArguments()) {
      mlir::Type element = typeOf(call->getOperand(argument.getArgNumber() / 2)).getElementType();
      if (argument.getType() != mlir::RankedTensorType::get({}, element))
        return false;
    }
    return body.getTerminator()->getOperand(0).getType() ==
           mlir::RankedTensorType::get({}, builder.getI1Type());
  }

  /// Whether rows go by the first operand alone, and the second one counts them.
  bool isOfLargest(CompareOp compare) {
    if (!compare || call->getNumResults() != 2 || numRows == 0)
      return false;
    mlir::Block &body = comparator.getBody().front();
    auto counted = call->getOperand(1).getDefiningOp<IotaOp>();
    mlir::Type element = typeOf(call->getOperand(0)).getElementType();
    bool hasOrder =
        llvm::isa<mlir::Float16Type, mlir::BFloat16Type, mlir::Float32Type, mlir::Float64Type>(
            element) ||
        (llvm::isa<mlir::IntegerType>(element) && !element.isInteger(1));
    return hasOrder && counted && static_cast<int64_t>(counted.getIotaDimension()) == dim &&
           typeOf(call->getResult(1)).getElementType().isInteger(32) &&
           compare.getLhs() == body.getArgument(0) && compare.getRhs() == body.getArgument(1) &&
           (compare.getComparisonDirection() == ComparisonDirection::GT ||
            compare.getComparisonDirection() == ComparisonDirection::LT);
  }

  Value swapWithLast(Value value) {
    mlir::RankedTensorType type = typeOf(value);
    llvm::SmallVector<int64_t> order, shape(type.getShape());
    for (int64_t d = 0; d < type.getRank(); ++d)
      order.push_back(d);
    if (dim == type.getRank() - 1)
      return value;
    std::swap(order[dim], order.back());
    std::swap(shape[dim], shape.back());
    return TransposeOp::create(builder, loc, type.clone(shape), value, order);
  }

  /// Turns the order of elements around.
  Value turn(Value value) {
    if (llvm::isa<mlir::FloatType>(typeOf(value).getElementType()))
      return NegOp::create(builder, loc, value.getType(), value);
    return NotOp::create(builder, loc, value.getType(), value);
  }

  llvm::SmallVector<Value> searchLast(CompareOp compare) {
    bool isSmallest = compare.getComparisonDirection() == ComparisonDirection::LT;
    Value values = swapWithLast(call->getOperand(0));
    if (isSmallest)
      values = turn(values);
    mlir::RankedTensorType type = typeOf(values);
    llvm::SmallVector<int64_t> shape(type.getShape());
    shape.back() = numRows;
    mlir::OperationState state(loc, "chlo.top_k", values,
                               {type.clone(shape), typeOf(call->getResult(1)).clone(shape)});
    state.addAttribute("k", builder.getI64IntegerAttr(numRows));
    mlir::Operation *found = builder.create(state);
    Value largest = found->getResult(0);
    if (isSmallest)
      largest = turn(largest);
    return {swapWithLast(largest), swapWithLast(found->getResult(1))};
  }

  llvm::SmallVector<Value> sortAll() {
    unsigned count = call->getNumResults();
    mlir::ValueRange operands = call->getOperands().take_front(count);
    auto sort = SortOp::create(builder, loc, operands.getTypes(), operands, dim,
                               /*is_stable=*/true);
    mlir::IRMapping map;
    comparator.getBody().cloneInto(&sort.getComparator(), map);
    mlir::Operation *end = sort.getComparator().front().getTerminator();
    mlir::OpBuilder inside(end);
    ReturnOp::create(inside, loc, end->getOperands());
    end->erase();
    llvm::SmallVector<Value> rows;
    mlir::RankedTensorType type = typeOf(operands[0]);
    llvm::SmallVector<int64_t> start(type.getRank(), 0), strides(type.getRank(), 1),
        limit(typeOf(call->getResult(0)).getShape());
    for (auto [result, sorted] : llvm::zip(call->getResults(), sort->getResults()))
      rows.push_back(
          SliceOp::create(builder, loc, result.getType(), sorted, start, limit, strides));
    return rows;
  }

  CustomCallOp call;
  mlir::OpBuilder builder;
  mlir::Location loc;
  mlir::func::FuncOp comparator;
  int64_t dim = 0, numRows = 0;
};

} // namespace

bool isSearchCall(mlir::Operation *op) {
  auto call = llvm::dyn_cast<CustomCallOp>(op);
  return call && call.getCallTargetName() == "ApproxTopK";
}

void replaceSearchCalls(mlir::ModuleOp module) {
  llvm::SmallVector<CustomCallOp> calls;
  module.walk([&](CustomCallOp call) {
    if (isSearchCall(call))
      calls.push_back(call);
  });
  mlir::SymbolTable symbols(module);
  llvm::SetVector<mlir::func::FuncOp> comparators;
  for (CustomCallOp call : calls)
    if (Search search(call); search.read(symbols)) {
      comparators.insert(search.getComparator());
      search.replace();
    }
  // Whom nobody calls any more would only be in the way: it need not return as functions do.
  for (mlir::func::FuncOp comparator : comparators)
    if (mlir::SymbolTable::symbolKnownUseEmpty(comparator, module))
      symbols.erase(comparator);
}

} // namespace spmd::legalize
