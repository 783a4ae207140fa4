#include "spmd/passes/plan/CustomRules.h"

#include "spmd/dialect/partitioning/CustomCallRules.h"
#include "spmd/dialect/partitioning/Families.h"
#include "spmd/dialect/sdy/Dialect.h"
#include "spmd/ir/plan/SizedRule.h"

#include "llvm/ADT/StringMap.h"

namespace spmd {

static std::vector<std::vector<int64_t>> shapesOf(mlir::ValueRange values) {
  std::vector<std::vector<int64_t>> shapes;
  for (mlir::Value value : values)
    shapes.push_back(shapeOf(value).vec());
  return shapes;
}

void attachRules(mlir::ModuleOp module, const ProgramPlan &plan, PlanReporter &reporter) {
  if (plan.rules.empty())
    return;
  /// A rule, whether a call has it, and whether it was found not to fit.
  struct Use {
    const PlanRule *rule;
    bool isUsed = false, isWrong = false;
  };
  llvm::StringMap<Use> byTarget;
  for (const PlanRule &rule : plan.rules)
    byTarget[rule.target].rule = &rule;
  module.walk([&](mlir::Operation *op) {
    std::optional<llvm::StringRef> target = customCallTarget(op);
    auto found = target ? byTarget.find(*target) : byTarget.end();
    if (found == byTarget.end())
      return;
    Use &use = found->second;
    use.isUsed = true;
    absl::StatusOr<OpRule> rule =
        sizedRule(use.rule->text, shapesOf(op->getOperands()), shapesOf(op->getResults()));
    if (rule.ok()) {
      rule->custom = true;
      op->setDiscardableAttr(sdy::shardingRuleName,
                             sdy::OpShardingRuleAttr::get(op->getContext(), *rule));
    } else if (!use.isWrong) {
      use.isWrong = true;
      mlir::InFlightDiagnostic &error =
          reporter.error(use.rule->place)
          << "rule of '" << use.rule->target
          << "' does not fit a call: " << std::string(rule.status().message());
      error.attachNote(op->getLoc()) << "this is the call";
    }
  });
  for (const PlanRule &rule : plan.rules)
    if (!byTarget[rule.target].isUsed)
      reporter.error(rule.place) << "target '" << rule.target
                                 << "' matches nothing; no custom call has it";
}

} // namespace spmd
