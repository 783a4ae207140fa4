#include "spmd/tools/SourceLines.h"

#include "llvm/Support/WithColor.h"

namespace spmd {

/// In bytes. Longer lines are cut to what is shown before and behind the place.
static constexpr size_t longestLine = 200, shownBefore = 60, shownBehind = 100;

/// Returns whether `text` may be cut before byte `at`: not within a character.
static bool isBorder(llvm::StringRef text, size_t at) {
  return at >= text.size() || (text[at] & 0xc0) != 0x80;
}

static llvm::raw_ostream &printKind(llvm::raw_ostream &os, llvm::SourceMgr::DiagKind kind) {
  switch (kind) {
  case llvm::SourceMgr::DK_Error:
    return llvm::WithColor::error(os);
  case llvm::SourceMgr::DK_Warning:
    return llvm::WithColor::warning(os);
  case llvm::SourceMgr::DK_Remark:
    return llvm::WithColor::remark(os);
  case llvm::SourceMgr::DK_Note:
    return llvm::WithColor::note(os);
  }
  return os;
}

/// A message about a place in a line.
struct Message {
  llvm::StringRef file;
  size_t lineNumber;
  size_t column; ///< In bytes, from 0 on.
  llvm::SourceMgr::DiagKind kind;
  llvm::StringRef text;
};

static void printCut(const Message &message, llvm::StringRef line, llvm::raw_ostream &os) {
  size_t column = message.column;
  size_t begin = column < shownBefore ? 0 : column - shownBefore;
  size_t end = std::min(column + shownBehind, line.size());
  while (!isBorder(line, begin))
    ++begin;
  while (!isBorder(line, end))
    ++end;
  os << message.file << ":" << message.lineNumber << ":" << column + 1 << ": ";
  printKind(os, message.kind) << message.text << "\n";
  std::string before = (begin > 0 ? "... " : "") + line.slice(begin, column).str();
  os << before << line.slice(column, end) << (end < line.size() ? " ..." : "") << "\n";
  for (char &c : before)
    c = c == '\t' ? c : ' ';
  os << before << "^\n";
}

static void print(const llvm::SMDiagnostic &diagnostic, void *stream) {
  llvm::raw_ostream &os = *static_cast<llvm::raw_ostream *>(stream);
  llvm::StringRef line = diagnostic.getLineContents();
  if (line.size() <= longestLine || diagnostic.getColumnNo() < 0)
    return diagnostic.print(nullptr, os);
  printCut({diagnostic.getFilename(), static_cast<size_t>(diagnostic.getLineNo()),
            static_cast<size_t>(diagnostic.getColumnNo()), diagnostic.getKind(),
            diagnostic.getMessage()},
           line, os);
}

void cutLongLines(llvm::SourceMgr &sourceMgr, llvm::raw_ostream &os) {
  sourceMgr.setDiagHandler(print, &os);
}

//===- Diagnostics of MLIR -------------------------------------------------===//

SourceLinesHandler::SourceLinesHandler(llvm::SourceMgr &sourceMgr, mlir::MLIRContext *context,
                                       llvm::raw_ostream &os)
    : SourceMgrDiagnosticHandler(sourceMgr, context, os) {
  cutLongLines(sourceMgr, os);
  setHandler([this](mlir::Diagnostic &diagnostic) { show(diagnostic); });
}

/// Which stands behind the message, and of whose callers not more are told.
static constexpr int mostCallers = 10;

void SourceLinesHandler::show(mlir::Diagnostic &diagnostic) {
  mlir::Location at = diagnostic.getLocation();
  show(at, diagnostic.str(), diagnostic.getSeverity());
  for (int i = 0; i < mostCallers; ++i) {
    auto call = at->findInstanceOf<mlir::CallSiteLoc>();
    if (!call)
      break;
    at = call.getCaller();
    show(at, "called from", mlir::DiagnosticSeverity::Note);
  }
  for (mlir::Diagnostic &note : diagnostic.getNotes()) {
    show(note.getLocation(), note.str(), note.getSeverity(), at != note.getLocation());
    at = note.getLocation();
  }
}

static llvm::SourceMgr::DiagKind kindOf(mlir::DiagnosticSeverity severity) {
  switch (severity) {
  case mlir::DiagnosticSeverity::Note:
    return llvm::SourceMgr::DK_Note;
  case mlir::DiagnosticSeverity::Warning:
    return llvm::SourceMgr::DK_Warning;
  case mlir::DiagnosticSeverity::Error:
    return llvm::SourceMgr::DK_Error;
  case mlir::DiagnosticSeverity::Remark:
    return llvm::SourceMgr::DK_Remark;
  }
  return llvm::SourceMgr::DK_Error;
}

void SourceLinesHandler::show(mlir::Location location, const std::string &message,
                              mlir::DiagnosticSeverity severity, bool withLine) {
  auto place = location->findInstanceOf<mlir::FileLineColLoc>();
  llvm::StringRef line = withLine && place ? lineAt(place) : "";
  size_t column = place ? place.getColumn() : 0;
  if (line.size() <= longestLine || column == 0 || column > line.size())
    return emitDiagnostic(location, message, severity, withLine);
  printCut({place.getFilename().getValue(), place.getLine(), column - 1, kindOf(severity), message},
           line, os);
}

llvm::StringRef SourceLinesHandler::lineAt(mlir::FileLineColLoc place) {
  const llvm::MemoryBuffer *buffer = getBufferForFile(place.getFilename());
  if (!buffer || place.getLine() == 0)
    return "";
  unsigned number = mgr.getNumBuffers(); // That of the file; there are few.
  while (number > 0 && mgr.getMemoryBuffer(number) != buffer)
    --number;
  if (number == 0)
    return "";
  llvm::SMLoc begin = mgr.FindLocForLineAndColumn(number, place.getLine(), 1);
  if (!begin.isValid())
    return "";
  llvm::SMLoc next = mgr.FindLocForLineAndColumn(number, place.getLine() + 1, 1);
  const char *end = next.isValid() ? next.getPointer() : buffer->getBufferEnd();
  return llvm::StringRef(begin.getPointer(), end - begin.getPointer()).rtrim("\r\n");
}

} // namespace spmd
