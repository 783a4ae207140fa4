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

OpRule suggestedRule(mlir::Operation *op) {
  RuleBuilder builder = ruleFor(op);
  std::map<std::pair<size_t, int64_t>, int32_t> factors; // By place and size of the dim.
  auto factorOf = [&](size_t d, int64_t size) {
    auto [known, isNew] = factors.try_emplace({d, size}, 0);
    if (isNew)
      known->second =
          builder.factor(size, d == 0 && isBatch(op, size) ? FactorKind::pass : FactorKind::whole);
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

std::string suggestedPlanRule(mlir::Operation *op) {
  std::optional<llvm::StringRef> target = customCallTarget(op);
  auto isStatic = [](mlir::Type type) {
    mlir::RankedTensorType tensor = tensorTypeOf(type);
    return tensor && tensor.hasStaticShape();
  };
  if (!target || !llvm::all_of(op->getOperandTypes(), isStatic) ||
      !llvm::all_of(op->getResultTypes(), isStatic))
    return "";
  llvm::StringRef text;
  std::string all = suggestedRule(op).str();
  text = all;
  // The sizes are those of each call.
  auto [tensors, rest] = text.split(" {");
  llvm::StringRef sets = rest.split('}').second;
  return ("rule { target: \"" + *target + "\" rule: \"" + tensors + sets + "\" }").str();
}

} // namespace spmd
