#include "spmd/passes/plan/CustomRules.h"

#include "spmd/dialect/partitioning/CustomCallRules.h"
#include "spmd/dialect/partitioning/CustomRule.h"
#include "spmd/dialect/partitioning/Families.h"
#include "spmd/dialect/sdy/Dialect.h"
#include "spmd/dialect/spmd/Callers.h"
#include "spmd/dialect/spmd/Dialect.h"
#include "spmd/ir/rules/SizedRule.h"
#include "spmd/passes/plan/Names.h"
#include "spmd/passes/plan/ReferenceFiles.h"

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
      setText(entry, "default", condition.fallback);
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

/// Returns the rules of `plan` with the names that their functions have in the program, into which
/// those of files of their own are brought. Reports functions that do not exist.
static std::vector<PlanRule> rulesWithFunctions(mlir::ModuleOp module, const ProgramPlan &plan,
                                                FileReporter &reporter) {
  std::vector<PlanRule> rules = plan.rules;
  ReferenceFiles files(module, plan, reporter);
  for (PlanRule &rule : rules) {
    auto find = [&](const char *what, std::string &name) {
      if (name.empty())
        return;
      if (!rule.referenceFile.empty()) {
        name = files.bring(rule, name);
        return;
      }
      mlir::func::FuncOp func = functionNamed(module, name);
      if (!func || func.isExternal())
        reporter.error(rule.place) << what << " '" << name << "' of '" << rule.target << "' "
                                   << (func ? "has no body" : "is no function of the program")
                                   << "; define it there, with dynamic dims, or name the file that "
                                      "has it as reference_file";
    };
    find("reference", rule.reference);
    for (PlanRule::Along &along : rule.along)
      find("merge", along.merge);
  }
  return rules;
}

namespace {

/// A rule, whether a call has it, and whether it was found not to fit.
struct RuleUse {
  const PlanRule *rule;
  bool isUsed = false, isWrong = false;
};

} // namespace

/// Returns the use in `uses`, of the rules of one target, whose rule is for `op`: one for its
/// location before one for all calls; null if none is.
static RuleUse *useFor(mlir::Operation *op, llvm::MutableArrayRef<RuleUse> uses) {
  std::optional<std::vector<std::string>> names;
  RuleUse *general = nullptr;
  for (RuleUse &use : uses) {
    if (use.rule->locations.empty()) {
      general = &use;
      continue;
    }
    if (!names)
      names = namesOfLocation(op->getLoc());
    for (const PlanPattern &pattern : use.rule->locations)
      if (llvm::any_of(*names, [&](const std::string &name) { return pattern.glob.matches(name); }))
        return &use;
  }
  return general;
}

void attachRules(mlir::ModuleOp module, const ProgramPlan &plan, FileReporter &reporter) {
  if (plan.rules.empty())
    return;
  std::vector<PlanRule> rules = rulesWithFunctions(module, plan, reporter);
  llvm::StringMap<std::vector<RuleUse>> byTarget;
  for (const PlanRule &rule : rules)
    byTarget[rule.target].push_back({&rule});
  module.walk([&](mlir::Operation *op) {
    std::optional<llvm::StringRef> target = customCallTarget(op);
    auto found = target ? byTarget.find(*target) : byTarget.end();
    RuleUse *use = found == byTarget.end() ? nullptr : useFor(op, found->second);
    if (!use)
      return;
    use->isUsed = true;
    attachReference(op, *use->rule);
    absl::Status status = use->rule->text.empty() ? absl::OkStatus() : attachRule(op, *use->rule);
    if (!status.ok() && !use->isWrong) {
      use->isWrong = true;
      mlir::InFlightDiagnostic &error =
          reporter.error(use->rule->place)
          << "rule of '" << use->rule->target
          << "' does not fit a call: " << std::string(status.message());
      error.attachNote(op->getLoc()) << "this is the call";
    }
  });
  for (const PlanRule &rule : rules) {
    const std::vector<RuleUse> &uses = byTarget[rule.target];
    const RuleUse &own =
        *llvm::find_if(uses, [&](const RuleUse &use) { return use.rule == &rule; });
    if (own.isUsed)
      continue;
    mlir::InFlightDiagnostic &error = reporter.error(rule.place);
    error << "target '" << rule.target << "' matches nothing; no custom call has it";
    if (!rule.locations.empty())
      error << " and one of its locations";
  }
}

} // namespace spmd
