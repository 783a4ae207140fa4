#include "spmd/dialect/import/Load.h"

#include "spmd/dialect/import/Booleans.h"
#include "spmd/dialect/import/Bytecode.h"
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

/// Names the format of a file that is no program, but holds one, and says how to write that; empty
/// if it is not known.
static std::string knownFormat(llvm::StringRef text, bool isBinary) {
  // Flatbuffers without a mark of their own, around MLIR's bytecode.
  if (isBinary && text.contains("ML\xefR"))
    return "file is what jax.export's Exported.serialize() writes, with a program inside; write "
           "its "
           "text instead: print(exported.mlir_module())";
  struct Format {
    llvm::StringLiteral start;
    const char *text;
  };
  static constexpr Format formats[] = {
      {"PK\x03\x04",
       "file is a zip archive, as torch.export.save() writes; write StableHLO instead, "
       "with torch_xla.stablehlo.exported_program_to_stablehlo(..)"},
      {"\x1f\x8b", "file is compressed with gzip; unpack it first"},
      {"\x28\xb5\x2f\xfd", "file is compressed with zstd; unpack it first"},
      {"\x93NUMPY", "file is an array of numpy; expected a program in StableHLO or HLO"}};
  for (const Format &format : formats)
    if (text.starts_with(format.start))
      return format.text;
  return "";
}

/// Returns where a resource of the file has a blob whose first four bytes, its alignment, are zero,
/// or npos. MLIR 22's parser asks for memory of that alignment, which nothing can give.
static size_t findBlobOfNoAlignment(llvm::StringRef text) {
  constexpr llvm::StringLiteral start = "\"0x00000000";
  size_t resources = text.rfind("{-#");
  return resources == llvm::StringRef::npos ? resources : text.find(start, resources);
}

/// Returns `LINE:COLUMN: error: `, counted from 1, for byte `at` of `text`.
static std::string errorAt(llvm::StringRef text, size_t at) {
  llvm::StringRef before = text.take_front(at);
  return (llvm::Twine(before.count('\n') + 1) + ":" +
          llvm::Twine(at - (before.rfind('\n') + 1) + 1) + ": error: ")
      .str();
}

std::string whyNotText(llvm::StringRef text) {
  const char *start = "1:1: error: ";
  if (text.trim().empty())
    return std::string(start) + "file is empty; expected a program in StableHLO or HLO";
  if (isBytecode(text))
    return "";
  size_t zero = text.take_front(1 << 16).find('\0');
  bool isBinary = zero != llvm::StringRef::npos;
  if (std::string known = knownFormat(text, isBinary); !known.empty())
    return start + known;
  if (isBinary)
    return (start + llvm::Twine("file holds binary data (a zero byte at offset ") +
            llvm::Twine(zero) + "); expected a program in StableHLO or HLO")
        .str();
  if (size_t line = lineOfIndexArray(text))
    return (start + llvm::Twine("line ") + llvm::Twine(line) +
            " has an array of index; expected integers or floats")
        .str();
  if (size_t blob = findBlobOfNoAlignment(text); blob != llvm::StringRef::npos)
    return errorAt(text, blob) +
           "blob has alignment 0; its first four bytes need a power of two, such as 04000000";
  size_t deep = findTooDeep(text);
  if (deep == llvm::StringRef::npos)
    return "";
  return (errorAt(text, deep) + "more than " + llvm::Twine(maxDepth) +
          " brackets are open here; programs that deep are not read")
      .str();
}

/// Whether the parser stopped at an op that no dialect knows.
static bool saysUnknownOp(llvm::StringRef message) {
  return message.starts_with("Dialect `") || message.contains("is unknown");
}

/// Parses the main buffer. The parser stops at the first op it does not know, and advises what
/// these tools have not; instead, all such ops are named. Attributes of dialects that are not known
/// are kept as they are written.
///
/// The parser's error is held back until the parse is over. The diagnostic engine walks over its
/// handlers while it emits, so a handler that parsed or registered another one would crash it.
static mlir::OwningOpRef<mlir::ModuleOp>
parseNamingUnknownOps(llvm::SourceMgr &sourceMgr, unsigned buffer, mlir::MLIRContext &context,
                      llvm::raw_ostream &errors, bool keepNames) {
  std::vector<mlir::Diagnostic> held;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  bool allowsUnknown = context.allowsUnregisteredDialects();
  {
    mlir::ScopedDiagnosticHandler handler(&context, [&](mlir::Diagnostic &diagnostic) {
      if (!saysUnknownOp(diagnostic.str()))
        return mlir::failure();
      held.push_back(std::move(diagnostic));
      return mlir::success();
    });
    context.allowUnregisteredDialects();
    module = keepNames ? parseWithNames(sourceMgr, context)
                       : mlir::parseSourceFile<mlir::ModuleOp>(sourceMgr, &context);
    context.allowUnregisteredDialects(allowsUnknown);
  }
  if (module && !allowsUnknown && mlir::failed(checkKnown(*module)))
    return {};
  if (module || reportUnknownOps(sourceMgr, buffer, context, errors))
    return module;
  for (mlir::Diagnostic &diagnostic : held)
    context.getDiagEngine().emit(std::move(diagnostic));
  return module;
}

/// Parses a program in text, which becomes the main buffer of `sourceMgr`.
static mlir::OwningOpRef<mlir::ModuleOp> parseText(std::unique_ptr<llvm::MemoryBuffer> buffer,
                                                   mlir::MLIRContext &context,
                                                   llvm::SourceMgr &sourceMgr,
                                                   llvm::raw_ostream &errors, bool keepNames) {
  llvm::StringRef text = withoutMark(buffer->getBuffer());
  std::optional<std::string> packed = packBooleans(text);
  if (packed || text.size() < buffer->getBufferSize())
    buffer = llvm::MemoryBuffer::getMemBufferCopy(packed ? *packed : text.str(),
                                                  buffer->getBufferIdentifier());
  unsigned id = sourceMgr.AddNewSourceBuffer(std::move(buffer), llvm::SMLoc());
  return parseNamingUnknownOps(sourceMgr, id, context, errors, keepNames);
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
  mlir::OwningOpRef<mlir::ModuleOp> module;
  if (isBytecode(text)) {
    std::string why;
    module = parseBytecode({text, (*buffer)->getBufferIdentifier()}, context, why);
    if (!module)
      errors << path << ":" << why << "\n";
  } else {
    module = parseText(std::move(*buffer), context, sourceMgr, errors, keepNames);
  }
  if (!module)
    return {};
  flattenTuples(*module);
  if (mlir::failed(importShapeOps(*module)) || mlir::failed(importShardings(*module)) ||
      mlir::failed(mlir::verify(*module)))
    return {};
  return module;
}

} // namespace spmd
