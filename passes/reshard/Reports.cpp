#include "spmd/passes/reshard/Reports.h"

#include "spmd/dialect/partitioning/AssumedRule.h"
#include "spmd/dialect/partitioning/CustomCallRules.h"
#include "spmd/dialect/partitioning/CustomRule.h"
#include "spmd/dialect/partitioning/SuggestRule.h"
#include "spmd/dialect/spmd/ValueSharding.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/Support/raw_ostream.h"

namespace spmd {

static void noteOperands(mlir::InFlightDiagnostic &diagnostic, mlir::Operation *op) {
  for (mlir::OpOperand &operand : op->getOpOperands())
    if (ValueSharding sharding = shardingOf(operand.get()))
      diagnostic.attachNote(op->getLoc()) << "operand " << operand.getOperandNumber()
                                          << " has sharding " << sharding.attr.getSpec().str();
}

/// Returns `'stablehlo.custom_call' op @target`; of what calls nothing, without a target.
static std::string nameWithTarget(mlir::Operation *op) {
  std::string name;
  llvm::raw_string_ostream stream(name);
  stream << "'" << op->getName() << "' op";
  if (std::optional<llvm::StringRef> target = customCallTarget(op))
    stream << " " << mlir::FlatSymbolRefAttr::get(op->getContext(), *target);
  return name;
}

void Reports::keptWhole(mlir::Operation *op) {
  std::optional<UnmetCondition> unmet = unmetCondition(op);
  if (!unmet)
    return;
  mlir::InFlightDiagnostic warning = op->emitWarning()
                                     << nameWithTarget(op) << " has a rule that does not split it "
                                     << unmet->reason << "; every device runs it whole";
  noteOperands(warning, op);
  if (unmet->isUnknown)
    warning.attachNote(op->getLoc()) << unmet->advice;
}

void Reports::lacksAttribute(mlir::Operation *op) {
  std::optional<UnmetCondition> unknown = unknownCondition(op);
  if (!unknown)
    return;
  mlir::InFlightDiagnostic warning =
      op->emitWarning() << nameWithTarget(op) << " has a rule that does not split all of it "
                        << unknown->reason << "; what it leaves out stays whole";
  warning.attachNote(op->getLoc()) << unknown->advice;
}

void Reports::assumed(mlir::Operation *op) {
  mlir::InFlightDiagnostic warning =
      op->emitWarning() << nameWithTarget(op)
                        << " has no sharding rule; each device makes its part of the results "
                           "of the same part of the operands, as those who use them want it, "
                           "which is wrong if the op does more than that";
  noteOperands(warning, op);
  auto rule = op->getAttrOfType<mlir::DictionaryAttr>(customRuleAttrName);
  if (auto dims = rule ? rule.getAs<mlir::StringAttr>("dims") : mlir::StringAttr())
    warning.attachNote(op->getLoc())
        << "assumed: " << planRule(*customCallTarget(op), dims.getValue())
        << "; if it is true, put it in a plan, else set on-no-rule=replicate";
}

/// Returns an op whose rule names `op` as its backward op; null if there is none.
mlir::Operation *Reports::forwardOf(mlir::Operation *op) {
  if (!forwards) {
    forwards.emplace();
    module.walk([&](mlir::Operation *each) {
      if (std::string target = backwardTarget(each); !target.empty())
        forwards->try_emplace(target, each);
    });
  }
  std::optional<llvm::StringRef> target = customCallTarget(op);
  return target ? forwards->lookup(*target) : nullptr;
}

bool Reports::withoutRule(mlir::Operation *op) {
  mlir::InFlightDiagnostic diagnostic =
      onNoRule == OnNoRule::error
          ? op->emitError()
                << nameWithTarget(op)
                << " has no sharding rule; give it one in a plan, or set on-no-rule=replicate"
          : op->emitWarning() << nameWithTarget(op)
                              << " has no sharding rule; every device runs it whole";
  noteOperands(diagnostic, op);
  if (mlir::Operation *forward = forwardOf(op))
    diagnostic.attachNote(forward->getLoc())
        << "it is the backward op of this one, which has a rule; give it one, too";
  if (std::string rule = suggestedPlanRule(op); !rule.empty())
    diagnostic.attachNote(op->getLoc())
        << "a rule to begin with, for a plan: " << rule << "; " << adviceOnSuggestedRule(op);
  return onNoRule != OnNoRule::error;
}

} // namespace spmd
