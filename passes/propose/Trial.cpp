#include "spmd/passes/propose/Trial.h"

#include "spmd/passes/plan/ApplyPlan.h"
#include "spmd/passes/why/Collectives.h"
#include "spmd/passes/why/Columns.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Pass/PassManager.h"

namespace spmd {

/// Puts the plan on the program.
static bool apply(mlir::ModuleOp module, llvm::StringRef planText) {
  std::vector<PlanFinding> findings;
  std::optional<ProgramPlan> plan =
      readPlan({planText.data(), planText.size()}, "a plan", findings);
  return plan && findings.empty() && mlir::succeeded(applyPlan(module, *plan));
}

std::optional<TrialCosts> tryProgram(mlir::ModuleOp module, const PipelineOptions &options) {
  mlir::ScopedDiagnosticHandler quiet(module.getContext(), [](mlir::Diagnostic &) {});
  using Stage = PipelineOptions::Stage;
  auto run = [&](std::initializer_list<Stage> stages) {
    mlir::PassManager manager(module.getContext());
    manager.enableVerifier(false);
    for (Stage stage : stages)
      addStage(manager, stage, options);
    return mlir::succeeded(manager.run(module));
  };
  TrialCosts costs;
  if (!run({Stage::propagate, Stage::reshard}))
    return std::nullopt;
  costs.repeated = repeatedWorkOf(module);
  if (!run({Stage::partition, Stage::optimize}))
    return std::nullopt;
  costs.wireBytes = wireBytesOf(findCollectives(module));
  if (mlir::func::FuncOp entry = entryOf(module))
    costs.heldBytes = bytesOf(entry.getArgumentTypes()) + bytesOf(entry.getResultTypes());
  return costs;
}

std::optional<TrialCosts> tryPlan(mlir::ModuleOp module, llvm::StringRef planText,
                                  const PipelineOptions &options) {
  mlir::OwningOpRef<mlir::ModuleOp> copy = module.clone();
  mlir::ScopedDiagnosticHandler quiet(module.getContext(), [](mlir::Diagnostic &) {});
  if (!planText.empty() && !apply(*copy, planText))
    return std::nullopt;
  return tryProgram(*copy, options);
}

std::optional<TrialCosts> tryConstraint(mlir::ModuleOp module, mlir::Value value,
                                        sdy::ShardingAttr sharding,
                                        const PipelineOptions &options) {
  mlir::IRMapping copies;
  mlir::OwningOpRef<mlir::ModuleOp> copy = llvm::cast<mlir::ModuleOp>(module->clone(copies));
  mlir::Value copied = copies.lookupOrNull(value);
  if (!copied)
    return std::nullopt;
  mlir::OpBuilder builder(module.getContext());
  builder.setInsertionPointAfterValue(copied);
  auto constraint = sdy::ShardingConstraintOp::create(builder, copied.getLoc(), copied.getType(),
                                                      copied, sharding);
  copied.replaceAllUsesExcept(constraint.getResult(), constraint);
  return tryProgram(*copy, options);
}

std::string describe(const TrialCosts &before, const TrialCosts &after) {
  return "tried: a device sends " + withCommas(after.wireBytes) + " bytes instead of " +
         withCommas(before.wireBytes) + ", and holds " + withCommas(after.heldBytes) +
         " bytes of arguments and results instead of " + withCommas(before.heldBytes);
}

} // namespace spmd
