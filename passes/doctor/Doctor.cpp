#include "spmd/passes/doctor/Doctor.h"

#include "spmd/dialect/import/Shardings.h"
#include "spmd/dialect/spmd/WrittenNames.h"
#include "spmd/passes/Passes.h"
#include "spmd/passes/doctor/Checks.h"
#include "spmd/passes/functionalize/Functionalize.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/OwningOpRef.h"

namespace spmd {

Report reportOf(mlir::Diagnostic &diagnostic) {
  Report report{diagnostic.getSeverity() == mlir::DiagnosticSeverity::Error,
                diagnostic.getLocation(),
                diagnostic.str(),
                {}};
  for (mlir::Diagnostic &note : diagnostic.getNotes())
    report.notes.push_back({note.getLocation(), note.str()});
  return report;
}

/// Runs one stage on `module`; its diagnostics go to `reports`, and are not shown.
static bool runStage(mlir::ModuleOp module, PipelineOptions::Stage stage,
                     const PipelineOptions &options, std::vector<Report> &reports) {
  mlir::ScopedDiagnosticHandler collector(module.getContext(), [&](mlir::Diagnostic &diagnostic) {
    reports.push_back(reportOf(diagnostic));
    return mlir::success();
  });
  mlir::PassManager manager(module.getContext());
  addStage(manager, stage, options);
  return mlir::succeeded(manager.run(module));
}

void addRefusals(llvm::ArrayRef<Report> reports, Findings &findings) {
  for (const Report &report : reports) {
    if (!report.isError)
      continue;
    Finding finding{"refused", placeText(report.place), report.message};
    if (llvm::StringRef(report.message).contains(twoPinsText)) {
      finding.kind = "two-pins";
      finding.fix = "leave one of them out; or pin a load of the buffer instead: that holds for "
                    "what is loaded, and the buffer stays as it lies";
    } else if (llvm::StringRef(report.message).contains(twoMarksText)) {
      finding.kind = "two-pins";
      finding.fix =
          "leave out the one that is not meant: of two marks on a tensor PyTorch/XLA keeps "
          "the last, and says nothing";
    }
    for (const Report::Note &note : report.notes)
      finding.notes.push_back({placeText(note.place), note.text});
    findings.push_back(std::move(finding));
  }
}

mlir::LogicalResult examine(mlir::ModuleOp module, llvm::ArrayRef<Report> readReports,
                            llvm::StringRef plan, Findings &findings,
                            std::vector<Report> &refused) {
  PipelineOptions options;
  options.plan = plan.str();
  mlir::OwningOpRef<mlir::ModuleOp> unplanned = plan.empty() ? nullptr : module.clone();
  if (!runStage(module, PipelineOptions::Stage::functionalize, options, refused)) {
    std::vector<Report> reports = refused;
    if (unplanned) {
      options.plan.clear();
      reports.clear();
      if (runStage(*unplanned, PipelineOptions::Stage::functionalize, options, reports))
        return mlir::failure();
    }
    findBareMarkers(readReports, {}, findings);
    return addRefusals(reports, findings), mlir::success();
  }
  mlir::OwningOpRef<mlir::ModuleOp> propagated = module.clone();
  std::vector<Report> reports;
  bool ok = runStage(*propagated, PipelineOptions::Stage::propagate, options, reports);
  mlir::OwningOpRef<mlir::ModuleOp> resharded;
  std::vector<Report> refusedMoves;
  if (ok) {
    resharded = propagated->clone();
    if (!runStage(*resharded, PipelineOptions::Stage::reshard, options, refusedMoves))
      resharded = nullptr;
  }
  findBareMarkers(readReports, ok ? *propagated : mlir::ModuleOp(), findings);
  RepeatedWork work = resharded ? repeatedWorkOf(*resharded) : RepeatedWork();
  if (work.isMost())
    findRepeatedWork(module, work, options, findings);
  else
    findReplicatedParameters(module, options, findings);
  findTwoPins(module, findings);
  if (!ok)
    return addRefusals(reports, findings), mlir::success();
  findUnevenDims(*propagated, findings);
  findLostConstraints(*propagated, findings);
  findOpsWithoutRule(*propagated, findings);
  if (!resharded)
    return addRefusals(refusedMoves, findings), mlir::success();
  findPartialsUsedTwice(module, *resharded, options, findings);
  findRematerializations(module, *resharded, findings);
  return mlir::success();
}

} // namespace spmd
