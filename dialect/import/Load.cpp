#include "spmd/dialect/import/Load.h"

#include "spmd/dialect/import/Booleans.h"
#include "spmd/dialect/import/LoadHlo.h"
#include "spmd/dialect/import/Shardings.h"
#include "spmd/dialect/import/hlo/Depth.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/MemoryBuffer.h"

namespace spmd {

static bool isWordChar(char c) { return llvm::isAlnum(c) || c == '_' || c == '-'; }

/// Returns whether a word that ends before `end` stands where an op name does: behind `=`, at the
/// start of a line, or in quotes behind either.
static bool standsWhereOpDoes(llvm::StringRef text, size_t start) {
  if (start > 0 && text[start - 1] == '"')
    --start;
  while (start > 0 && (text[start - 1] == ' ' || text[start - 1] == '\t'))
    --start;
  return start == 0 || text[start - 1] == '\n' || text[start - 1] == '=' || text[start - 1] == '{';
}

std::vector<UnknownOp> findUnknownOps(llvm::StringRef text, mlir::MLIRContext &context) {
  std::vector<UnknownOp> unknown;
  llvm::StringSet<> seen;
  bool inComment = false;
  for (size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '\n')
      inComment = false;
    else if (text[at] == '/' && at + 1 < text.size() && text[at + 1] == '/')
      inComment = true;
    if (text[at] != '.' || inComment)
      continue;
    size_t start = at, end = at + 1;
    while (start > 0 && isWordChar(text[start - 1]))
      --start;
    while (end < text.size() && isWordChar(text[end]))
      ++end;
    llvm::StringRef dialect = text.slice(start, at), name = text.slice(start, end);
    if (dialect.empty() || end == at + 1 || !standsWhereOpDoes(text, start))
      continue;
    if (!context.getOrLoadDialect(dialect) || mlir::RegisteredOperationName::lookup(name, &context))
      continue;
    // The name may also be that of an attribute: `sdy.sharding = ..`, `{sdy.sharding}`.
    size_t next = text.find_first_not_of(" \t\"", end);
    if (next != llvm::StringRef::npos && llvm::StringRef("=:,}").contains(text[next]))
      continue;
    if (seen.insert(name).second)
      unknown.push_back({name.str(), start});
  }
  return unknown;
}

/// Returns the number of the line with an array attribute of index, at which MLIR 22's parser ends
/// the process; 0 if there is none. Comments and strings do not count.
static size_t lineOfIndexArray(llvm::StringRef text) {
  constexpr llvm::StringLiteral start = "array<";
  for (size_t at = text.find(start); at != llvm::StringRef::npos; at = text.find(start, at + 1)) {
    if (!text.drop_front(at + start.size()).ltrim().starts_with("index"))
      continue;
    llvm::StringRef before = text.take_front(at);
    llvm::StringRef line = before.drop_front(before.rfind('\n') + 1);
    if (!line.contains("//") && line.count('"') % 2 == 0)
      return before.count('\n') + 1;
  }
  return 0;
}

std::string whyNotText(llvm::StringRef text) {
  const char *start = "1:1: error: ";
  if (text.trim().empty())
    return std::string(start) + "file is empty; expected a program in StableHLO or HLO";
  if (text.starts_with("ML\xefR"))
    return "";
  if (size_t zero = text.take_front(1 << 16).find('\0'); zero != llvm::StringRef::npos)
    return (start + llvm::Twine("file holds binary data (a zero byte at offset ") +
            llvm::Twine(zero) + "); expected a program in StableHLO or HLO")
        .str();
  if (size_t line = lineOfIndexArray(text))
    return (start + llvm::Twine("line ") + llvm::Twine(line) +
            " has an array of index; expected integers or floats")
        .str();
  size_t deep = findTooDeep(text);
  if (deep == llvm::StringRef::npos)
    return "";
  llvm::StringRef before = text.take_front(deep);
  return (llvm::Twine(before.count('\n') + 1) + ":" +
          llvm::Twine(deep - (before.rfind('\n') + 1) + 1) + ": error: more than " +
          llvm::Twine(maxDepth) + " brackets are open here; programs that deep are not read")
      .str();
}

mlir::OwningOpRef<mlir::ModuleOp> loadProgram(llvm::StringRef path, mlir::MLIRContext &context,
                                              llvm::SourceMgr &sourceMgr,
                                              llvm::raw_ostream &errors) {
  auto buffer = llvm::MemoryBuffer::getFileOrSTDIN(path);
  if (!buffer) {
    errors << path << ": error: cannot open the file: " << buffer.getError().message() << "\n";
    return {};
  }
  if (formatOf((*buffer)->getBuffer()) != ProgramFormat::mlir) {
    mlir::SourceMgrDiagnosticHandler handler(sourceMgr, &context, errors);
    return loadHlo((*buffer)->getBuffer(), path, context);
  }
  if (std::string why = whyNotText((*buffer)->getBuffer()); !why.empty()) {
    errors << path << ":" << why << "\n";
    return {};
  }
  if (std::optional<std::string> text = packBooleans((*buffer)->getBuffer()))
    buffer = llvm::MemoryBuffer::getMemBufferCopy(*text, (*buffer)->getBufferIdentifier());
  unsigned id = sourceMgr.AddNewSourceBuffer(std::move(*buffer), llvm::SMLoc());
  mlir::SourceMgrDiagnosticHandler handler(sourceMgr, &context, errors);
  mlir::OwningOpRef<mlir::ModuleOp> module =
      mlir::parseSourceFile<mlir::ModuleOp>(sourceMgr, &context);
  if (module) {
    bool ok = mlir::succeeded(importShardings(*module)) && mlir::succeeded(mlir::verify(*module));
    return ok ? std::move(module) : nullptr;
  }
  const llvm::MemoryBuffer *text = sourceMgr.getMemoryBuffer(id);
  for (const UnknownOp &op : findUnknownOps(text->getBuffer(), context))
    sourceMgr.PrintMessage(errors, llvm::SMLoc::getFromPointer(text->getBufferStart() + op.offset),
                           llvm::SourceMgr::DK_Error, "op '" + op.name + "' is not known");
  return {};
}

} // namespace spmd
