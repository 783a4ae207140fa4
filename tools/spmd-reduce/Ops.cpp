// Ops, replaced by values that are there without them.

#include "spmd/tools/spmd-reduce/Reduce.h"

#include "spmd/dialect/stablehlo/Dialect.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;

namespace spmd {

/// Returns zeros of `type`, or null where it is no tensor of numbers with a static shape.
static DenseElementsAttr zerosOf(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor || !tensor.hasStaticShape())
    return {};
  if (auto complexType = dyn_cast<ComplexType>(tensor.getElementType())) {
    auto element = cast<FloatType>(complexType.getElementType());
    llvm::APFloat zero(element.getFloatSemantics());
    return DenseElementsAttr::get(tensor, std::complex<llvm::APFloat>(zero, zero));
  }
  if (!tensor.getElementType().isIntOrFloat())
    return {};
  return DenseElementsAttr::get(tensor,
                                Builder(type.getContext()).getZeroAttr(tensor.getElementType()));
}

namespace {

class DropOps : public Shrinker {
public:
  explicit DropOps(Replacement replacement) : replacement(replacement) {}

  llvm::StringRef name() const override {
    switch (replacement) {
    case Replacement::argument:
      return "ops to arguments";
    case Replacement::operand:
      return "ops to operands";
    case Replacement::constant:
      return "ops to constants";
    }
    return "";
  }

  size_t count(ModuleOp module) override { return candidates(module).size(); }

  void remove(ModuleOp module, size_t begin, size_t end) override {
    SmallVector<Operation *> ops = candidates(module);
    Eraser eraser;
    // Last first, and what lies in a region before the op that holds it.
    for (Operation *op : llvm::reverse(ArrayRef(ops).slice(begin, end - begin)))
      removeOp(op, eraser);
  }

private:
  SmallVector<Operation *> candidates(ModuleOp module) {
    SmallVector<Operation *> ops;
    module.walk<WalkOrder::PreOrder>([&](Operation *op) {
      bool isConstant = isa<stablehlo::ConstantOp>(op) && replacement != Replacement::operand;
      if (op != module && !op->hasTrait<OpTrait::IsTerminator>() && !isa<SymbolOpInterface>(op) &&
          !isConstant)
        ops.push_back(op);
    });
    return ops;
  }

  void removeOp(Operation *op, Eraser &eraser) {
    SmallVector<Value> others;
    for (OpResult result : op->getResults()) {
      others.push_back(result.use_empty() ? Value() : replacementOf(result));
      if (!result.use_empty() && !others.back())
        return; // An argument or a constant that was made before is left without uses.
    }
    for (auto [result, other] : llvm::zip(op->getResults(), others))
      if (other)
        result.replaceAllUsesWith(other);
    eraser.erase(op);
  }

  Value replacementOf(OpResult result) {
    Operation *op = result.getOwner();
    switch (replacement) {
    case Replacement::argument:
      return newArgument(op, result.getType());
    case Replacement::operand:
      return valueAtHand(result);
    case Replacement::constant:
      break;
    }
    DenseElementsAttr zeros = zerosOf(result.getType());
    if (!zeros)
      return {};
    // A program that has no op of the dialect has not loaded it.
    op->getContext()->getOrLoadDialect<stablehlo::StablehloDialect>();
    OpBuilder builder(op);
    return stablehlo::ConstantOp::create(builder, op->getLoc(), result.getType(), zeros);
  }

  /// Returns the function whose arguments `op` can use.
  static func::FuncOp functionAround(Operation *op) {
    Operation *parent = op->getParentOp();
    while (parent && !parent->hasTrait<OpTrait::IsIsolatedFromAbove>())
      parent = parent->getParentOp();
    return dyn_cast_or_null<func::FuncOp>(parent);
  }

  static Value newArgument(Operation *op, Type type) {
    func::FuncOp function = functionAround(op);
    if (!function || !function.isPublic() || !isa<TensorType>(type) ||
        failed(function.insertArgument(function.getNumArguments(), type, {}, op->getLoc())))
      return {};
    return function.getArguments().back();
  }

  static Value valueAtHand(OpResult result) {
    Operation *op = result.getOwner();
    auto fits = [&](Value value) { return value.getType() == result.getType(); };
    if (result.getResultNumber() < op->getNumOperands() &&
        fits(op->getOperand(result.getResultNumber())))
      return op->getOperand(result.getResultNumber());
    for (Value operand : op->getOperands())
      if (fits(operand))
        return operand;
    if (func::FuncOp function = functionAround(op))
      for (Value argument : function.getArguments())
        if (fits(argument))
          return argument;
    return {};
  }

  Replacement replacement;
};

} // namespace

std::unique_ptr<Shrinker> dropOps(Replacement replacement) {
  return std::make_unique<DropOps>(replacement);
}

} // namespace spmd
