#include "spmd/passes/verify/rules/ResizeCall.h"

#include "spmd/dialect/partitioning/CallAttributes.h"
#include "spmd/dialect/sdy/Dialect.h"
#include "spmd/dialect/spmd/Dialect.h"
#include "spmd/dialect/stablehlo/Dialect.h"
#include "spmd/passes/verify/rules/OpProgram.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace spmd {

std::vector<bool> evenFactors(const CustomRule &rule) {
  std::vector<bool> isEven = evenFactors(rule.dims);
  for (int32_t factor : rule.even)
    isEven[factor] = true;
  for (const CustomRule::LocalAttribute &local : rule.locals)
    isEven[local.factor] = true;
  for (const CustomRule::Along &along : rule.along)
    if (llvm::is_contained(along.ways, CustomRule::Way::ring))
      isEven[along.factor] = isEven[along.with] = true;
  return isEven;
}

/// Scales integer attribute `name` of `call`, which counts `from` rows, to count `to`.
static bool scaleAttribute(mlir::Operation *call, llvm::StringRef name, int64_t from, int64_t to) {
  std::optional<int64_t> count = integerIn(attributeOf(call, name));
  return count && from != 0 && *count % from == 0 && setInteger(call, name, *count / from * to);
}

/// Whether an operand is a constant that would have to be another one.
static bool changesConstant(mlir::Operation *call, const SizedOp &sized) {
  return llvm::any_of(llvm::zip(call->getOperands(), sized.types), [](auto pair) {
    auto [operand, type] = pair;
    return type != operand.getType() &&
           llvm::isa_and_present<stablehlo::ConstantOp>(operand.getDefiningOp());
  });
}

mlir::OwningOpRef<mlir::ModuleOp> resizeCall(mlir::Operation *call, const CustomRule &rule,
                                             const SizedOp &sized) {
  if (!call->hasAttr(referenceAttrName) || changesConstant(call, sized))
    return nullptr;
  mlir::OpBuilder builder(call->getContext());
  mlir::OwningOpRef<mlir::ModuleOp> module = mlir::ModuleOp::create(call->getLoc());
  copyNamedFunctions(call, *module);
  builder.setInsertionPointToEnd(module->getBody());
  auto operandTypes = llvm::ArrayRef(sized.types).take_front(call->getNumOperands()),
       resultTypes = llvm::ArrayRef(sized.types).drop_front(call->getNumOperands());
  auto main = mlir::func::FuncOp::create(builder, call->getLoc(), "main",
                                         builder.getFunctionType(operandTypes, resultTypes));
  main.setPrivate();
  builder.setInsertionPointToStart(main.addEntryBlock());
  mlir::Operation *copy = builder.clone(*call);
  mlir::func::ReturnOp::create(builder, call->getLoc(), copy->getResults());
  copy->setOperands(main.getArguments());
  for (auto [result, type] : llvm::zip(copy->getResults(), resultTypes))
    result.setType(type);
  copy->removeAttr(sdy::shardingName);
  OpRule dims = sized.rule;
  dims.custom = false; // That it is the user's is said by where it stands.
  mlir::NamedAttrList entries(customRuleAttrOf(call));
  entries.set("dims", builder.getStringAttr(dims.str()));
  copy->setDiscardableAttr(customRuleAttrName, entries.getDictionary(call->getContext()));
  for (const CustomRule::LocalAttribute &local : rule.locals)
    if (!scaleAttribute(copy, local.attribute, rule.dims.factors[local.factor].size,
                        sized.rule.factors[local.factor].size))
      return nullptr;
  return module;
}

} // namespace spmd
