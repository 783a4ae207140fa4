// The source lines that messages are printed with.
#pragma once

#include "mlir/IR/Diagnostics.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"

namespace spmd {

/// Lets `sourceMgr` print, of lines longer than a screen, only what stands around the place that a
/// message is about. It prints to `os`, whatever it is asked to.
void cutLongLines(llvm::SourceMgr &sourceMgr, llvm::raw_ostream &os);

/// Prints diagnostics as MLIR does, but of lines longer than a screen only what stands around the
/// place, and in time that does not grow with the line: of a loop with thousands of carries each
/// may be told of, all in one line.
class SourceLinesHandler : public mlir::SourceMgrDiagnosticHandler {
public:
  SourceLinesHandler(llvm::SourceMgr &sourceMgr, mlir::MLIRContext *context, llvm::raw_ostream &os);

private:
  void show(mlir::Diagnostic &diagnostic);
  void show(mlir::Location location, const std::string &message, mlir::DiagnosticSeverity severity,
            bool withLine = true);
  /// Returns the line that a place is in, empty if it is in none.
  llvm::StringRef lineAt(mlir::FileLineColLoc place);
};

} // namespace spmd
