// The pass `spmd-check-rules`: each rule against what the interpreter computes.

#include "spmd/dialect/chlo/Dialect.h"
#include "spmd/dialect/partitioning/CustomCallRules.h"
#include "spmd/dialect/partitioning/CustomRule.h"
#include "spmd/dialect/partitioning/Partitionable.h"
#include "spmd/dialect/sdy/Dialect.h"
#include "spmd/dialect/spmd/Dialect.h"
#include "spmd/dialect/stablehlo/Dialect.h"
#include "spmd/ir/rules/Claims.h"
#include "spmd/passes/Passes.h"
#include "spmd/passes/functionalize/Functionalize.h"
#include "spmd/passes/legalize/Legalize.h"
#include "spmd/passes/verify/rules/CheckRules.h"
#include "spmd/passes/verify/rules/StandIn.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

namespace spmd {

#define GEN_PASS_DEF_CHECKRULESPASS
#include "spmd/passes/Passes.h.inc"

/// Whether somebody other than us says how `op` splits.
static bool hasUserRule(mlir::Operation *op) {
  if (op->hasAttr(sdy::shardingRuleName) || op->hasAttr(customRuleAttrName))
    return true;
  std::optional<llvm::StringRef> target = customCallTarget(op);
  return target && lookupCustomCallRule(op->getContext(), *target);
}

/// Returns what to write so that a rule can be checked that was not.
static const char *adviceOn(const RuleFinding &finding) {
  return finding.lacksReference ? "; name a function that computes it as reference: of its rule in "
                                  "the plan, or as spmd.reference on the call"
                                : "";
}

/// Reports what was found out; returns whether the rule is false.
static bool report(mlir::Operation *op, const RuleFinding &finding, bool remarks) {
  switch (finding.verdict) {
  case RuleFinding::Verdict::hasNone:
    return false;
  case RuleFinding::Verdict::holds:
    if (remarks)
      mlir::emitRemark(op->getLoc()) << "'" << op->getName() << "' op rule holds on "
                                     << finding.numPlacements << " placements";
    return false;
  case RuleFinding::Verdict::unchecked:
    mlir::emitWarning(op->getLoc())
        << "'" << op->getName() << "' op rule is not checked: " << finding.message
        << adviceOn(finding);
    return false;
  case RuleFinding::Verdict::isFalse:
    break;
  }
  mlir::InFlightDiagnostic error = op->emitOpError() << finding.message;
  for (const std::string &note : finding.notes)
    error.attachNote(op->getLoc()) << note;
  return true;
}

/// Returns the text of `op` without its location, by which ops alike are known; operands that are
/// constants count as their values.
static std::string keyOf(mlir::Operation *op) {
  std::string key;
  llvm::raw_string_ostream os(key);
  os << op->getName() << op->getAttrDictionary();
  for (mlir::Value operand : op->getOperands()) {
    os << operand.getType();
    if (mlir::Operation *constant = operand.getDefiningOp();
        constant && llvm::isa<stablehlo::ConstantOp>(constant))
      os << constant->getAttrDictionary();
  }
  for (mlir::Type type : op->getResultTypes())
    os << type;
  return key;
}

static mlir::LogicalResult checkOps(mlir::ModuleOp module, const RuleCheckSettings &settings,
                                    bool all, bool remarks) {
  llvm::SmallVector<mlir::Operation *> ops;
  llvm::StringSet<> seen;
  module.walk([&](mlir::Operation *op) {
    if ((all || hasUserRule(op)) && (op->getNumRegions() > 0 || seen.insert(keyOf(op)).second))
      ops.push_back(op);
  });
  bool failed = false;
  mlir::SymbolTableCollection tables;
  for (mlir::Operation *op : ops) {
    if (legalize::isSplitByRule(op, tables))
      op->emitWarning() << "'" << op->getName()
                        << "' op rule is not checked: what it is made of is partitioned by "
                        << "itself, and the same whatever the rule says";
    else
      failed |= report(op, checkRule(op, settings), remarks);
  }
  return mlir::failure(failed);
}

mlir::LogicalResult checkRules(mlir::ModuleOp module, const RuleCheckSettings &settings, bool all,
                               bool remarks) {
  if (!hasBuffers(module))
    return checkOps(module, settings, all, remarks);
  // The rule of a call on buffers speaks of what they hold.
  mlir::OwningOpRef<mlir::ModuleOp> values = module.clone();
  return mlir::failure(mlir::failed(functionalize(*values, /*toValues=*/true)) ||
                       mlir::failed(checkOps(*values, settings, all, remarks)));
}

//===- Rules that a program is partitioned by ------------------------------===//

/// Returns the ops of `module` with a rule of their own in its text.
static llvm::SmallVector<mlir::Operation *> opsWithRules(mlir::ModuleOp module) {
  llvm::SmallVector<mlir::Operation *> ops;
  module.walk([&](mlir::Operation *op) {
    if (!op->getRawDictionaryAttrs().empty() && // Which is quick to see.
        (op->hasAttr(sdy::shardingRuleName) || op->hasAttr(customRuleAttrName)))
      ops.push_back(op);
  });
  return ops;
}

/// Checks what the rule of `op` says that nobody else knows, if it is used at all.
static RuleFinding checkUsedRule(mlir::Operation *op, const RuleCheckSettings &settings) {
  // What does not fit the op is no rule, calls and loops have none; of composites, what they are
  // made of is partitioned.
  if (llvm::isa<stablehlo::CompositeOp>(op) || !whyNoRule(op).empty() ||
      !StrategyCache().lookup(op))
    return {};
  if (op->hasAttr(customRuleAttrName)) {
    RuleFinding finding = checkRule(op, settings);
    if (finding.verdict == RuleFinding::Verdict::hasNone)
      return {RuleFinding::Verdict::unchecked, 0,
              "it has no results, or values that are no tensors"};
    return finding;
  }
  auto partitionable = llvm::dyn_cast<Partitionable>(op);
  Strategies known = partitionable ? partitionable.getStrategies() : Strategies();
  if (known.empty())
    return checkRule(op, settings);
  // Rules of calls that the compiler knows are written by frameworks.
  OpRule rule = sdy::getShardingRule(op).getRule();
  std::optional<OpRule> claims = customCallTarget(op) ? std::nullopt : claimsBeyond(rule, known);
  return claims ? checkRule(op, *claims, settings) : RuleFinding();
}

/// Checks all of `ops`, which have a rule each, and reports what is false.
static mlir::LogicalResult checkUsedRules(llvm::ArrayRef<mlir::Operation *> ops) {
  RuleCheckSettings settings = RuleCheckSettings::brief();
  llvm::StringSet<> seen, unchecked;
  bool failed = false;
  for (mlir::Operation *op : ops) {
    if (op->getNumRegions() == 0 && !seen.insert(keyOf(op)).second)
      continue;
    RuleFinding finding = checkUsedRule(op, settings);
    if (finding.verdict == RuleFinding::Verdict::isFalse)
      failed |= report(op, finding, /*remarks=*/false);
    std::optional<llvm::StringRef> target = customCallTarget(op);
    if (finding.verdict == RuleFinding::Verdict::unchecked && target &&
        unchecked.insert((*target + ": " + finding.message).str()).second)
      mlir::emitRemark(op->getLoc())
          << "'" << op->getName() << "' op @" << *target
          << " is split by a rule that is not checked: " << finding.message << adviceOn(finding);
  }
  return mlir::failure(failed);
}

mlir::LogicalResult checkUsedRules(mlir::ModuleOp module) {
  llvm::SmallVector<mlir::Operation *> ops = opsWithRules(module);
  if (ops.empty() || !hasBuffers(module))
    return checkUsedRules(ops);
  mlir::OwningOpRef<mlir::ModuleOp> values = module.clone();
  {
    // What cannot be so is reported where the program itself becomes so.
    mlir::ScopedDiagnosticHandler silence(module.getContext(),
                                          [](mlir::Diagnostic &) { return mlir::success(); });
    if (mlir::failed(functionalize(*values, /*toValues=*/true)))
      return mlir::success();
  }
  return checkUsedRules(opsWithRules(*values));
}

namespace {

struct CheckRulesPass : impl::CheckRulesPassBase<CheckRulesPass> {
  using CheckRulesPassBase::CheckRulesPassBase;

  void runOnOperation() override {
    markAllAnalysesPreserved();
    if (used) {
      if (mlir::failed(checkUsedRules(getOperation())))
        signalPassFailure();
      return;
    }
    RuleCheckSettings settings = RuleCheckSettings::standard();
    if (mlir::failed(readMeshes(settings)) ||
        mlir::failed(checkRules(getOperation(), settings, all, remarks)))
      signalPassFailure();
  }

private:
  /// Reads `2x3` as a mesh of two axes.
  mlir::LogicalResult readMeshes(RuleCheckSettings &settings) {
    if (meshes.empty())
      return mlir::success();
    settings.meshes.clear();
    for (const std::string &text : meshes) {
      std::vector<MeshAxis> axes;
      for (llvm::StringRef size : llvm::split(llvm::StringRef(text), 'x')) {
        int64_t number = 0;
        if (size.getAsInteger(10, number) || number < 1 || number > 64)
          return getOperation().emitError()
                 << "mesh '" << text << "' is none; write the sizes of its axes, as in 2x3";
        axes.push_back({factorName(static_cast<int64_t>(axes.size())), number});
      }
      absl::StatusOr<Mesh> mesh = Mesh::create(axes);
      if (!mesh.ok())
        return getOperation().emitError() << std::string(mesh.status().message());
      settings.meshes.push_back(*std::move(mesh));
    }
    return mlir::success();
  }
};

} // namespace
} // namespace spmd
