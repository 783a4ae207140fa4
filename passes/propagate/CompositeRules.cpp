#include "spmd/passes/propagate/CompositeRules.h"

#include "spmd/dialect/partitioning/CustomRule.h"
#include "spmd/dialect/sdy/Dialect.h"
#include "spmd/dialect/spmd/CompositeRule.h"
#include "spmd/dialect/spmd/Dialect.h"
#include "spmd/dialect/spmd/ValueSharding.h"

namespace spmd {

/// Returns the sizes of tensors; nothing if some value is none of static shape.
static std::optional<std::vector<std::vector<int64_t>>> shapesOf(mlir::ValueRange values) {
  std::vector<std::vector<int64_t>> shapes;
  for (mlir::Value value : values) {
    auto type = llvm::dyn_cast<mlir::RankedTensorType>(value.getType());
    if (!type || !type.hasStaticShape())
      return std::nullopt;
    shapes.push_back(type.getShape().vec());
  }
  return shapes;
}

const OpRule *CompositeRules::of(mlir::Operation *call) {
  if (call->getRawDictionaryAttrs().empty())
    return nullptr; // Which is quick to see.
  auto attribute = llvm::dyn_cast_if_present<sdy::OpShardingRuleAttr>(
      call->getDiscardableAttr(compositeRuleAttrName));
  if (!attribute)
    return nullptr;
  auto operands = shapesOf(call->getOperands()), results = shapesOf(call->getResults());
  if (!operands || !results || !verify(attribute.getRule(), *operands, *results).ok())
    return nullptr;
  std::unique_ptr<OpRule> &rule = rules[attribute];
  if (!rule)
    rule = std::make_unique<OpRule>(strategyOfRule(attribute.getRule()).rule);
  return rule.get();
}

} // namespace spmd
