// Plan files: reading, and the policies in them.

#include "spmd/dialect/spmd/FileReporter.h"
#include "spmd/dialect/spmd/TextFiles.h"
#include "spmd/passes/plan/ApplyPlan.h"
#include "spmd/passes/plan/CustomRules.h"

namespace spmd {

static std::optional<ProgramPlan> read(llvm::MemoryBuffer &buffer, llvm::StringRef path,
                                       std::vector<PlanFinding> &findings) {
  llvm::StringRef text = buffer.getBuffer();
  return readPlan({text.data(), text.size()}, path.str(), findings);
}

mlir::FailureOr<ProgramPlan> loadPlan(mlir::MLIRContext &context, llvm::StringRef path) {
  FileReporter reporter(context, path.str());
  std::string why;
  std::unique_ptr<llvm::MemoryBuffer> buffer = openTextFile(path, why);
  if (!buffer) {
    reportUnreadable(context, path, "the plan", why);
    return mlir::failure();
  }
  std::vector<PlanFinding> findings;
  std::optional<ProgramPlan> plan = read(*buffer, path, findings);
  for (const PlanFinding &finding : findings)
    reporter.error(finding.place) << finding.message;
  if (mlir::failed(reporter.report()))
    return mlir::failure();
  return *std::move(plan);
}

void followPolicies(PipelineOptions &options) {
  std::string why;
  std::unique_ptr<llvm::MemoryBuffer> buffer = openTextFile(options.plan, why);
  std::vector<PlanFinding> findings;
  std::optional<ProgramPlan> plan = buffer ? read(*buffer, options.plan, findings) : std::nullopt;
  if (!plan)
    return;
  if (plan->onMissing)
    options.onMissing = *plan->onMissing == "error" ? OnMissing::error : OnMissing::replicate;
  if (plan->onNoRule)
    options.onNoRule = *plan->onNoRule == "error"       ? OnNoRule::error
                       : *plan->onNoRule == "replicate" ? OnNoRule::replicate
                                                        : OnNoRule::inferFromUsers;
}

mlir::LogicalResult describeCustomCalls(mlir::ModuleOp module, llvm::StringRef path) {
  mlir::FailureOr<ProgramPlan> plan = loadPlan(*module.getContext(), path);
  if (mlir::failed(plan))
    return mlir::failure();
  mlir::ScopedDiagnosticHandler silence(module.getContext(),
                                        [](mlir::Diagnostic &) { return mlir::success(); });
  FileReporter reporter(*module.getContext(), plan->file);
  attachRules(module, *plan, reporter);
  return mlir::success();
}

} // namespace spmd
