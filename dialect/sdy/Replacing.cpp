#include "spmd/dialect/sdy/Replacing.h"

#include "mlir/IR/TypeUtilities.h"

namespace spmd::sdy {

OpShardingRuleAttr getCustomRule(mlir::Operation *op) {
  OpShardingRuleAttr rule = getShardingRule(op);
  return rule && rule.getRule().custom ? rule : OpShardingRuleAttr();
}

/// Returns a rule for the first operands alone.
static OpShardingRuleAttr withOperands(OpShardingRuleAttr rule, size_t numOperands) {
  OpRule first = rule.getRule();
  first.operands.resize(numOperands);
  first.dropUnused();
  return OpShardingRuleAttr::get(rule.getContext(), first);
}

/// Whether types are the same, but for sizes that are known of one alone.
static bool areAlike(mlir::TypeRange a, mlir::TypeRange b) {
  return a.size() == b.size() && llvm::all_of(llvm::zip(a, b), [](auto pair) {
           auto [one, other] = pair;
           return one == other ||
                  (mlir::getElementTypeOrSelf(one) == mlir::getElementTypeOrSelf(other) &&
                   mlir::succeeded(mlir::verifyCompatibleShape(one, other)));
         });
}

void giveAttributes(mlir::Operation *made, mlir::Operation *replaced) {
  made->setDiscardableAttrs(replaced->getDiscardableAttrDictionary());
  OpShardingRuleAttr rule = getShardingRule(replaced);
  if (!rule)
    return;
  size_t count = made->getNumOperands();
  mlir::TypeRange taken = replaced->getOperandTypes();
  if (count > std::min(taken.size(), rule.getRule().operands.size()) ||
      !areAlike(made->getOperandTypes(), taken.take_front(count)) ||
      !areAlike(made->getResultTypes(), replaced->getResultTypes())) {
    warnOfDroppedRule(replaced);
    made->removeDiscardableAttr(shardingRuleName);
  } else if (count < replaced->getNumOperands()) {
    made->setDiscardableAttr(shardingRuleName, withOperands(rule, count));
  }
}

void warnOfDroppedRule(mlir::Operation *replaced) {
  if (getCustomRule(replaced))
    replaced->emitWarning() << "'" << replaced->getName()
                            << "' op is replaced by others, so its sharding rule is dropped; "
                               "write rules at these";
}

} // namespace spmd::sdy
