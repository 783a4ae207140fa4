#include "spmd/dialect/import/Load.h"

#include "spmd/dialect/import/Booleans.h"
#include "spmd/dialect/import/LoadHlo.h"
#include "spmd/dialect/import/NamedParse.h"
#include "spmd/dialect/import/ShapeOps.h"
#include "spmd/dialect/import/Shardings.h"
#include "spmd/dialect/import/Tuples.h"
#include "spmd/dialect/import/UnknownOps.h"
#include "spmd/dialect/import/hlo/Depth.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/MemoryBuffer.h"

namespace spmd {

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
  if (isBytecode(text))
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

/// Parses the main buffer. The parser stops at the first op it does not know, and advises what
/// these tools have not; instead, all such ops are named. Attributes of dialects that are not known
/// are kept as they are written.
static mlir::OwningOpRef<mlir::ModuleOp>
parseNamingUnknownOps(llvm::SourceMgr &sourceMgr, unsigned buffer, mlir::MLIRContext &context,
                      llvm::raw_ostream &errors, bool keepNames) {
  bool areNamed = false;
  mlir::ScopedDiagnosticHandler handler(&context, [&](mlir::Diagnostic &diagnostic) {
    std::string message = diagnostic.str();
    bool isUnknown = llvm::StringRef(message).starts_with("operation being parsed with an unreg") ||
                     llvm::StringRef(message).contains("is unknown");
    areNamed = areNamed || (isUnknown && reportUnknownOps(sourceMgr, buffer, context, errors));
    return mlir::success(isUnknown && areNamed);
  });
  bool allowsUnknown = context.allowsUnregisteredDialects();
  context.allowUnregisteredDialects();
  auto module = keepNames ? parseWithNames(sourceMgr, context)
                          : mlir::parseSourceFile<mlir::ModuleOp>(sourceMgr, &context);
  context.allowUnregisteredDialects(allowsUnknown);
  if (!module && !areNamed)
    reportUnknownOps(sourceMgr, buffer, context, errors);
  if (module && !allowsUnknown && mlir::failed(checkKnown(*module)))
    return {};
  return module;
}

mlir::OwningOpRef<mlir::ModuleOp>
loadProgram(llvm::StringRef path, mlir::MLIRContext &context, llvm::SourceMgr &sourceMgr,
            llvm::raw_ostream &errors, bool keepNames,
            llvm::function_ref<mlir::LogicalResult(mlir::Diagnostic &)> handle) {
  mlir::SourceMgrDiagnosticHandler show(sourceMgr, &context, errors);
  std::optional<mlir::ScopedDiagnosticHandler> collect;
  if (handle)
    collect.emplace(&context, handle);
  auto buffer = llvm::MemoryBuffer::getFileOrSTDIN(path);
  if (!buffer) {
    errors << path << ": error: cannot open the file: " << buffer.getError().message() << "\n";
    return {};
  }
  llvm::StringRef text = withoutMark((*buffer)->getBuffer());
  if (formatOf(text) != ProgramFormat::mlir)
    return loadHlo(text, path, context, keepNames);
  if (std::string why = whyNotText(text); !why.empty()) {
    errors << path << ":" << why << "\n";
    return {};
  }
  std::optional<std::string> packed = packBooleans(text);
  if (packed || text.size() < (*buffer)->getBufferSize())
    buffer = llvm::MemoryBuffer::getMemBufferCopy(packed ? *packed : text.str(),
                                                  (*buffer)->getBufferIdentifier());
  unsigned id = sourceMgr.AddNewSourceBuffer(std::move(*buffer), llvm::SMLoc());
  mlir::OwningOpRef<mlir::ModuleOp> module =
      parseNamingUnknownOps(sourceMgr, id, context, errors, keepNames);
  if (!module)
    return {};
  flattenTuples(*module);
  if (mlir::failed(importShapeOps(*module)) || mlir::failed(importShardings(*module)) ||
      mlir::failed(mlir::verify(*module)))
    return {};
  return module;
}

} // namespace spmd
