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

static void print(const llvm::SMDiagnostic &diagnostic, void *stream) {
  llvm::raw_ostream &os = *static_cast<llvm::raw_ostream *>(stream);
  llvm::StringRef line = diagnostic.getLineContents();
  if (line.size() <= longestLine || diagnostic.getColumnNo() < 0)
    return diagnostic.print(nullptr, os);
  size_t column = diagnostic.getColumnNo();
  size_t begin = column < shownBefore ? 0 : column - shownBefore;
  size_t end = std::min(column + shownBehind, line.size());
  while (!isBorder(line, begin))
    ++begin;
  while (!isBorder(line, end))
    ++end;
  os << diagnostic.getFilename() << ":" << diagnostic.getLineNo() << ":" << column + 1 << ": ";
  printKind(os, diagnostic.getKind()) << diagnostic.getMessage() << "\n";
  std::string before = (begin > 0 ? "... " : "") + line.slice(begin, column).str();
  os << before << line.slice(column, end) << (end < line.size() ? " ..." : "") << "\n";
  for (char &c : before)
    c = c == '\t' ? c : ' ';
  os << before << "^\n";
}

void cutLongLines(llvm::SourceMgr &sourceMgr, llvm::raw_ostream &os) {
  sourceMgr.setDiagHandler(print, &os);
}

} // namespace spmd
