#include "spmd/tools/spmd-opt/Explaining.h"

#include "spmd/dialect/import/Load.h"
#include "spmd/passes/Passes.h"
#include "spmd/passes/explain/Explain.h"
#include "spmd/passes/explain/Find.h"
#include "spmd/passes/propose/Proposal.h"
#include "spmd/tools/SourceLines.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/Pass/PassManager.h"

namespace spmd {

/// Lets plans mark what they say, so that it is told of with their lines.
static void notePlacesOfPlans(mlir::OpPassManager &manager) {
  for (mlir::Pass &pass : manager)
    if (pass.getArgument() == "spmd-apply-plan")
      static_cast<void>(pass.initializeOptions(
          "note-places=true", [](const llvm::Twine &) { return mlir::failure(); }));
}

int explainFile(llvm::StringRef path, llvm::StringRef request, mlir::DialectRegistry &registry,
                const mlir::MlirOptMainConfig &config, std::string &result) {
  ExplainRequest wanted;
  if (std::string error; !parseRequest(request, wanted, error)) {
    llvm::errs() << "spmd-opt: --spmd-explain: " << error << "\n";
    return 2;
  }
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
  llvm::SourceMgr sourceMgr;
  cutLongLines(sourceMgr, llvm::errs());
  mlir::OwningOpRef<mlir::ModuleOp> module =
      loadProgram(path, context, sourceMgr, llvm::errs(), /*keepNames=*/true);
  if (!module)
    return 1;
  wanted.path = path.str();
  wanted.written = writtenNamesIn(*module);
  SourceLinesHandler handler(sourceMgr, &context, llvm::errs());
  mlir::PassManager manager(&context);
  if (mlir::failed(config.setupPassPipeline(manager)))
    return 2;
  PipelineOptions options;
  options.callbacks = Callbacks::ignore;
  options.plan = wanted.plan;
  options.inlineFunctions = false; // What is asked for stands in the functions that the user wrote.
  if (!wanted.alone)
    addStage(manager, PipelineOptions::Stage::functionalize, options);
  notePlacesOfPlans(manager);
  llvm::raw_string_ostream os(result);
  if (mlir::failed(manager.run(*module)))
    return 1;
  if (wanted.missing)
    if (std::optional<RepeatedWorkReport> report = findRepeatedWork(*module, options))
      wanted.repeatedWork =
          ToldRepeatedWork{report->work.location, report->message(), report->fix()};
  return mlir::succeeded(explain(*module, wanted, os)) ? 0 : 1;
}

} // namespace spmd
