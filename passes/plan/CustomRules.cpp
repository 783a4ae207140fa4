#include "spmd/passes/plan/CustomRules.h"

#include "spmd/dialect/partitioning/CustomCallRules.h"
#include "spmd/dialect/partitioning/CustomRule.h"
#include "spmd/dialect/partitioning/Families.h"
#include "spmd/dialect/sdy/Dialect.h"
#include "spmd/dialect/spmd/Callers.h"
#include "spmd/dialect/spmd/Dialect.h"
#include "spmd/ir/rules/SizedRule.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/StringMap.h"

namespace spmd {

static std::vector<std::vector<int64_t>> shapesOf(mlir::ValueRange values) {
  std::vector<std::vector<int64_t>> shapes;
  for (mlir::Value value : values)
    shapes.push_back(shapeOf(value).vec());
  return shapes;
}

namespace {

/// Writes a rule as the attribute that a program would have.
class AttributeWriter {
public:
  explicit AttributeWriter(mlir::MLIRContext *context) : builder(context) {}

  mlir::DictionaryAttr write(const PlanRule &rule) {
    Entries entries;
    entries.set("dims", builder.getStringAttr(rule.text));
    setList(entries, "along", rule.along, [&](const PlanRule::Along &along) {
      Entries entry;
      setText(entry, "factor", along.factor);
      setText(entry, "with", along.with);
      setTexts(entry, "ways", along.ways);
      if (!along.merge.empty())
        entry.set("merge", mlir::FlatSymbolRefAttr::get(builder.getContext(), along.merge));
      setNumber(entry, "low", along.low);
      setNumber(entry, "high", along.high);
      return dictionary(entry);
    });
    setTexts(entries, "even", rule.even);
    setList(entries, "local", rule.locals, [&](const PlanRule::Local &local) {
      Entries entry;
      setText(entry, "attribute", local.attribute);
      setText(entry, "factor", local.factor);
      return dictionary(entry);
    });
    auto condition = [&](const PlanRule::Condition &condition) {
      Entries entry;
      setText(entry, "attribute", condition.attribute);
      setTexts(entry, "is", condition.values);
      setTexts(entry, "factors", condition.factors);
      return dictionary(entry);
    };
    setList(entries, "only_if", rule.onlyIf, condition);
    setList(entries, "unless", rule.unless, condition);
    setList(entries, "offset", rule.offsets, [&](const PlanRule::Offset &offset) {
      Entries entry;
      entry.set("operand", builder.getI64IntegerAttr(offset.operand));
      setText(entry, "factor", offset.factor);
      return dictionary(entry);
    });
    setText(entries, "backward", rule.backward);
    if (!rule.writes.empty())
      entries.set("writes", builder.getDenseI64ArrayAttr(rule.writes));
    return dictionary(entries);
  }

private:
  using Entries = mlir::NamedAttrList;

  mlir::DictionaryAttr dictionary(const Entries &entries) {
    return entries.getDictionary(builder.getContext());
  }
  void setText(Entries &entries, llvm::StringRef key, const std::string &text) {
    if (!text.empty())
      entries.set(key, builder.getStringAttr(text));
  }
  void setNumber(Entries &entries, llvm::StringRef key, int64_t number) {
    if (number != 0)
      entries.set(key, builder.getI64IntegerAttr(number));
  }
  void setTexts(Entries &entries, llvm::StringRef key, const std::vector<std::string> &texts) {
    llvm::SmallVector<llvm::StringRef> refs(texts.begin(), texts.end());
    if (!texts.empty())
      entries.set(key, builder.getStrArrayAttr(refs));
  }
  template <typename T, typename Write>
  void setList(Entries &entries, llvm::StringRef key, const std::vector<T> &all, Write write) {
    llvm::SmallVector<mlir::Attribute> written;
    for (const T &each : all)
      written.push_back(write(each));
    if (!written.empty())
      entries.set(key, builder.getArrayAttr(written));
  }

  mlir::Builder builder;
};

} // namespace

/// Gives `op` the rule of a plan. Fails if it does not fit.
static absl::Status attachRule(mlir::Operation *op, const PlanRule &planned) {
  bool hasBuffers = llvm::any_of(op->getOperandTypes(), llvm::IsaPred<BufferType>);
  if (!planned.isPlain() || hasBuffers) { // Of these, the other form speaks of results alone.
    op->setDiscardableAttr(customRuleAttrName, AttributeWriter(op->getContext()).write(planned));
    absl::Status status = customRuleOf(op).status();
    if (!status.ok())
      op->removeDiscardableAttr(customRuleAttrName);
    return status;
  }
  absl::StatusOr<OpRule> rule =
      sizedRule(planned.text, shapesOf(op->getOperands()), shapesGiven(op));
  if (!rule.ok())
    return rule.status();
  rule->custom = true;
  op->setDiscardableAttr(sdy::shardingRuleName,
                         sdy::OpShardingRuleAttr::get(op->getContext(), *rule));
  return absl::OkStatus();
}

/// Names what calls of a target compute. What a call says itself comes first.
static void attachReference(mlir::Operation *op, const PlanRule &planned) {
  if (!planned.reference.empty() && !op->hasAttr(referenceAttrName))
    op->setAttr(referenceAttrName,
                mlir::FlatSymbolRefAttr::get(op->getContext(), planned.reference));
}

void attachRules(mlir::ModuleOp module, const ProgramPlan &plan, PlanReporter &reporter) {
  if (plan.rules.empty())
    return;
  for (const PlanRule &rule : plan.rules) {
    auto checkFunction = [&](const char *what, const std::string &name) {
      mlir::func::FuncOp func = name.empty() ? nullptr : functionNamed(module, name);
      if (!name.empty() && (!func || func.isExternal()))
        reporter.error(rule.place) << what << " '" << name << "' of '" << rule.target << "' "
                                   << (func ? "has no body" : "is no function of the program")
                                   << "; define it there, with dynamic dims";
    };
    checkFunction("reference", rule.reference);
    for (const PlanRule::Along &along : rule.along)
      checkFunction("merge", along.merge);
  }
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
    attachReference(op, *use.rule);
    absl::Status status = attachRule(op, *use.rule);
    if (!status.ok() && !use.isWrong) {
      use.isWrong = true;
      mlir::InFlightDiagnostic &error =
          reporter.error(use.rule->place)
          << "rule of '" << use.rule->target
          << "' does not fit a call: " << std::string(status.message());
      error.attachNote(op->getLoc()) << "this is the call";
    }
  });
  for (const PlanRule &rule : plan.rules)
    if (!byTarget[rule.target].isUsed)
      reporter.error(rule.place) << "target '" << rule.target
                                 << "' matches nothing; no custom call has it";
}

} // namespace spmd
