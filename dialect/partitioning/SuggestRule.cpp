#include "spmd/dialect/partitioning/SuggestRule.h"

#include "spmd/dialect/partitioning/CustomCallRules.h"
#include "spmd/dialect/partitioning/Families.h"

#include <map>

namespace spmd {

/// Whether all results have `size` rows first, and some operand has.
static bool isBatch(mlir::Operation *op, int64_t size) {
  auto hasBatch = [&](mlir::Value value) {
    return !shapeOf(value).empty() && shapeOf(value)[0] == size;
  };
  return size > 1 && llvm::any_of(op->getOperands(), hasBatch) &&
         llvm::all_of(op->getResults(), hasBatch);
}

OpRule ruleByPlaces(mlir::Operation *op, llvm::function_ref<bool(size_t, int64_t)> mayPass) {
  RuleBuilder builder = ruleFor(op);
  std::map<std::pair<size_t, int64_t>, int32_t> factors; // By place and size of the dim.
  auto factorOf = [&](size_t d, int64_t size) {
    auto [known, isNew] = factors.try_emplace({d, size}, 0);
    if (isNew)
      known->second = builder.factor(size, mayPass(d, size) ? FactorKind::pass : FactorKind::whole);
    return known->second;
  };
  for (mlir::OpOperand &operand : op->getOpOperands())
    for (auto [d, size] : llvm::enumerate(shapeOf(operand.get())))
      if (size > 1)
        builder.operand(operand.getOperandNumber(), d, {factorOf(d, size)});
  for (mlir::OpResult result : op->getResults())
    for (auto [d, size] : llvm::enumerate(shapeOf(result)))
      if (size > 1)
        builder.result(result.getResultNumber(), d, {factorOf(d, size)});
  return builder.take();
}

OpRule suggestedRule(mlir::Operation *op) {
  return ruleByPlaces(op, [&](size_t d, int64_t size) { return d == 0 && isBatch(op, size); });
}

bool isStaticCustomCall(mlir::Operation *op) {
  auto isStatic = [](mlir::Type type) {
    mlir::RankedTensorType tensor = tensorTypeOf(type);
    return tensor && tensor.hasStaticShape();
  };
  return customCallTarget(op) && llvm::all_of(op->getOperandTypes(), isStatic) &&
         llvm::all_of(op->getResultTypes(), isStatic);
}

std::string textWithoutSizes(const OpRule &rule) {
  std::string all = rule.str();
  auto [tensors, rest] = llvm::StringRef(all).split(" {");
  return (tensors + rest.split('}').second).str();
}

std::string planRule(llvm::StringRef target, llvm::StringRef text) {
  return ("rule { target: \"" + target + "\" rule: \"" + text + "\" }").str();
}

std::string suggestedPlanRule(mlir::Operation *op) {
  return isStaticCustomCall(op)
             ? planRule(*customCallTarget(op), textWithoutSizes(suggestedRule(op)))
             : "";
}

std::string adviceOnSuggestedRule(mlir::Operation *op) {
  std::string advice = "take letters out of need_replication where the op can be split";
  const OpRule rule = suggestedRule(op);
  for (auto [index, factor] : llvm::enumerate(rule.factors))
    if (factor.kind == FactorKind::pass)
      advice += ", and put " + factorName(index) + " in, which is taken for a batch, if it is none";
  return advice;
}

} // namespace spmd
