// Plan files: reading, and the policies in them.

#include "spmd/passes/plan/ApplyPlan.h"
#include "spmd/passes/plan/CustomRules.h"
#include "spmd/passes/plan/PlanReporter.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"

namespace spmd {

/// Returns the text in the file at `path`; null if there is none, with the reason in `why`. Plans
/// are read more than once, so pipes will not do.
static std::unique_ptr<llvm::MemoryBuffer> textOf(llvm::StringRef path, std::string &why) {
  llvm::sys::fs::file_status status;
  std::error_code error = llvm::sys::fs::status(path, status);
  if (!error && !llvm::sys::fs::is_regular_file(status)) {
    why = llvm::sys::fs::is_directory(status)
              ? "is a folder; expected a file"
              : "is a device or a pipe; expected a file, which is read more than once";
    return nullptr;
  }
  llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>> buffer(error);
  if (!error)
    buffer = llvm::MemoryBuffer::getFile(path);
  if (buffer)
    return std::move(*buffer);
  why = "cannot be opened: " + buffer.getError().message();
  return nullptr;
}

static std::optional<ProgramPlan> read(llvm::MemoryBuffer &buffer, llvm::StringRef path,
                                       std::vector<PlanFinding> &findings) {
  llvm::StringRef text = buffer.getBuffer();
  return readPlan({text.data(), text.size()}, path.str(), findings);
}

mlir::FailureOr<ProgramPlan> loadPlan(mlir::MLIRContext &context, llvm::StringRef path) {
  PlanReporter reporter(context, path.str());
  std::string why;
  std::unique_ptr<llvm::MemoryBuffer> buffer = textOf(path, why);
  if (!buffer) {
    // Whoever prints a message reads the file it is about; devices have no end.
    bool hasPlace = llvm::sys::fs::is_directory(path) || !llvm::sys::fs::exists(path);
    return mlir::emitError(hasPlace ? reporter.locationOf({}) : mlir::UnknownLoc::get(&context))
           << "the plan '" << path << "' " << why;
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
  std::unique_ptr<llvm::MemoryBuffer> buffer = textOf(options.plan, why);
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
  PlanReporter reporter(*module.getContext(), plan->file);
  attachRules(module, *plan, reporter);
  return mlir::success();
}

} // namespace spmd
