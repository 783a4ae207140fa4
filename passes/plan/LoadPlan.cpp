// Plan files: reading, and the policies in them.

#include "spmd/passes/plan/ApplyPlan.h"
#include "spmd/passes/plan/PlanReporter.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"

namespace spmd {

/// Returns the text in the file at `path`, or why there is none. Plans are read more than once, so
/// pipes will not do.
static llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>> textOf(llvm::StringRef path) {
  llvm::sys::fs::file_status status;
  if (std::error_code error = llvm::sys::fs::status(path, status))
    return error;
  if (!llvm::sys::fs::is_regular_file(status))
    return std::make_error_code(std::errc::not_supported);
  return llvm::MemoryBuffer::getFile(path);
}

static std::optional<ProgramPlan> read(llvm::MemoryBuffer &buffer, llvm::StringRef path,
                                       std::vector<PlanFinding> &findings) {
  llvm::StringRef text = buffer.getBuffer();
  return readPlan({text.data(), text.size()}, path.str(), findings);
}

mlir::FailureOr<ProgramPlan> loadPlan(mlir::MLIRContext &context, llvm::StringRef path) {
  auto buffer = textOf(path);
  if (!buffer) {
    mlir::emitError(mlir::UnknownLoc::get(&context))
        << "cannot open the plan '" << path << "': " << buffer.getError().message();
    return mlir::failure();
  }
  PlanReporter reporter(context, path.str());
  std::vector<PlanFinding> findings;
  std::optional<ProgramPlan> plan = read(**buffer, path, findings);
  for (const PlanFinding &finding : findings)
    reporter.error(finding.place) << finding.message;
  if (mlir::failed(reporter.report()))
    return mlir::failure();
  return *std::move(plan);
}

void followPolicies(PipelineOptions &options) {
  auto buffer = textOf(options.plan);
  std::vector<PlanFinding> findings;
  std::optional<ProgramPlan> plan = buffer ? read(**buffer, options.plan, findings) : std::nullopt;
  if (!plan)
    return;
  if (plan->onMissing)
    options.onMissing = *plan->onMissing == "error" ? OnMissing::error : OnMissing::replicate;
  if (plan->onNoRule)
    options.onNoRule = *plan->onNoRule == "error" ? OnNoRule::error : OnNoRule::replicate;
}

} // namespace spmd
