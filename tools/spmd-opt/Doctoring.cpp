#include "spmd/tools/spmd-opt/Doctoring.h"

#include "spmd/dialect/import/Load.h"
#include "spmd/dialect/import/Shardings.h"
#include "spmd/passes/doctor/Doctor.h"
#include "spmd/tools/SourceLines.h"

#include "llvm/ADT/SmallVector.h"

namespace spmd {

namespace {

struct Request {
  bool asJson = false;
  std::string plan;
};

/// Returns the first word that is not known; empty if there is none.
std::string readRequest(llvm::StringRef text, Request &request) {
  llvm::SmallVector<llvm::StringRef> words;
  text.split(words, ' ', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
  for (llvm::StringRef word : words) {
    auto [key, value] = word.split('=');
    if (word == "format=text" || word == "format=json")
      request.asJson = value == "json";
    else if (key == "plan" && !value.empty())
      request.plan = value.str();
    else
      return word.str();
  }
  return "";
}

/// Shows what the compiler said of a program that it could not even begin with.
void show(llvm::ArrayRef<Report> reports) {
  for (const Report &report : reports) {
    if (!report.isError)
      continue;
    mlir::InFlightDiagnostic error = mlir::emitError(report.place) << report.message;
    for (const Report::Note &note : report.notes)
      error.attachNote(note.place) << note.text;
  }
}

} // namespace

int examineFile(llvm::StringRef path, llvm::StringRef request, mlir::DialectRegistry &registry,
                std::string &result) {
  Request wanted;
  if (std::string word = readRequest(request, wanted); !word.empty()) {
    llvm::errs() << "spmd-opt: --spmd-doctor: '" << word
                 << "' is not known; expected format=text|json or plan=FILE\n";
    return 2;
  }
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
  context.printOpOnDiagnostic(false); // The location says which; the op may be a whole program.
  llvm::SourceMgr sourceMgr;
  cutLongLines(sourceMgr, llvm::errs());
  std::vector<Report> reports, refused;
  // Of what is no program at all, the errors are shown; of one that contradicts itself, told.
  bool isContrary = false;
  auto keepReports = [&](mlir::Diagnostic &diagnostic) {
    bool isError = diagnostic.getSeverity() == mlir::DiagnosticSeverity::Error;
    Report report = reportOf(diagnostic);
    bool isTwoPins = llvm::StringRef(report.message).contains(twoMarksText);
    if (isError && !isTwoPins)
      return mlir::failure();
    isContrary |= isError;
    reports.push_back(std::move(report));
    return mlir::success();
  };
  mlir::OwningOpRef<mlir::ModuleOp> module =
      loadProgram(path, context, sourceMgr, llvm::errs(), /*keepNames=*/true, keepReports);
  if (!module && !isContrary)
    return 1;
  SourceLinesHandler handler(sourceMgr, &context, llvm::errs());
  Findings findings;
  if (!module) {
    addRefusals(reports, findings);
  } else if (mlir::failed(examine(*module, reports, wanted.plan, findings, refused))) {
    show(refused);
    return 1;
  }
  llvm::raw_string_ostream os(result);
  if (wanted.asJson)
    printJson(findings, os);
  else
    printText(findings, os);
  return 0;
}

} // namespace spmd
