// Custom calls on buffers.

#include "spmd/passes/functionalize/Access.h"

#include "spmd/dialect/partitioning/CustomRule.h"
#include "spmd/dialect/sdy/Dialect.h"
#include "spmd/dialect/stablehlo/Dialect.h"

namespace spmd {

void constrainResults(mlir::Operation *call) {
  mlir::OpBuilder builder(call->getContext());
  builder.setInsertionPointAfter(call);
  for (mlir::OpResult result : call->getResults())
    if (ValueSharding pin = pinOf(result)) {
      auto constraint = sdy::ShardingConstraintOp::create(builder, call->getLoc(), result.getType(),
                                                          result, pin.attr);
      result.replaceAllUsesExcept(constraint, constraint);
    }
  removeSharding(call);
}

namespace {

/// A custom call on buffers, and what it is as a call on values.
class BufferCall {
public:
  BufferCall(stablehlo::CustomCallOp call, const BufferEffects &effects) : call(call) {
    for (mlir::OpOperand &operand : call->getOpOperands())
      if (effects.writes(operand))
        written.push_back(operand.getOperandNumber());
  }

  void replace() {
    constrainResults(call);
    mlir::Operation *made = make();
    for (auto [k, operand] : llvm::enumerate(written)) {
      Access after(made, call->getOperand(operand));
      after.getBuilder().setInsertionPointAfter(made);
      after.store(made->getResult(call->getNumResults() + k));
    }
    call->replaceAllUsesWith(made->getResults().take_front(call->getNumResults()));
    call->erase();
  }

private:
  mlir::Operation *make() {
    mlir::OperationState state(call->getLoc(), call->getName());
    for (mlir::Value operand : call->getOperands())
      state.addOperands(isBuffer(operand) ? Access(call, operand).load() : operand);
    state.addTypes(call->getResultTypes());
    for (unsigned operand : written)
      state.addTypes(state.operands[operand].getType());
    state.propertiesAttr = call->getPropertiesAsAttribute();
    mlir::OpBuilder builder(call);
    auto made = llvm::cast<stablehlo::CustomCallOp>(builder.create(state));
    made->setDiscardableAttrs(call->getDiscardableAttrDictionary());
    for (llvm::StringRef name : {writesAttrName, hintAttrName, missingAttrName})
      made->removeDiscardableAttr(name);
    made.setOutputOperandAliasesAttr(aliases(made->getNumResults()));
    setLayouts(made);
    return made;
  }

  /// What is left in a buffer lies where its operand did. Several results count as one tuple.
  mlir::ArrayAttr aliases(size_t numResults) {
    mlir::MLIRContext *context = call->getContext();
    bool isTuple = numResults > 1;
    llvm::SmallVector<mlir::Attribute> all;
    for (mlir::Attribute attribute : call.getOutputOperandAliases()) {
      auto alias = llvm::cast<stablehlo::OutputOperandAliasAttr>(attribute);
      llvm::SmallVector<int64_t> path(alias.getOutputTupleIndices());
      if (isTuple && call->getNumResults() == 1)
        path.insert(path.begin(), 0);
      all.push_back(stablehlo::OutputOperandAliasAttr::get(context, path, alias.getOperandIndex(),
                                                           alias.getOperandTupleIndices()));
    }
    for (auto [k, operand] : llvm::enumerate(written)) {
      llvm::SmallVector<int64_t> path;
      if (isTuple)
        path.push_back(static_cast<int64_t>(call->getNumResults() + k));
      all.push_back(stablehlo::OutputOperandAliasAttr::get(context, path, operand, {}));
    }
    return mlir::ArrayAttr::get(context, all);
  }

  void setLayouts(stablehlo::CustomCallOp made) {
    std::optional<mlir::ArrayAttr> given = call.getOperandLayouts();
    if (!given)
      return;
    llvm::SmallVector<mlir::Attribute> layouts(call.getResultLayouts()->getValue());
    for (unsigned operand : written)
      layouts.push_back((*given)[operand]);
    made.setResultLayoutsAttr(mlir::ArrayAttr::get(call->getContext(), layouts));
  }

  stablehlo::CustomCallOp call;
  llvm::SmallVector<unsigned, 2> written;
};

} // namespace

void composeCustomCall(mlir::Operation *call, const BufferEffects &effects) {
  BufferCall(llvm::cast<stablehlo::CustomCallOp>(call), effects).replace();
}

} // namespace spmd
