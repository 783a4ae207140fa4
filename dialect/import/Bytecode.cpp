#include "spmd/dialect/import/Bytecode.h"

#include "spmd/dialect/import/UnknownOps.h"

#include "mlir/Bytecode/BytecodeReader.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/StringExtras.h"

namespace spmd {

static constexpr llvm::StringLiteral magic = "ML\xefR";

bool isBytecode(llvm::StringRef contents) { return contents.starts_with(magic); }

/// Returns the tool that the header names, as printable text: behind the magic number stand the
/// version, a variable-length integer, and the name, which ends with a zero byte.
static std::string producerOf(llvm::StringRef contents) {
  llvm::StringRef rest = contents.drop_front(magic.size());
  size_t zero = rest.find('\0');
  if (zero == llvm::StringRef::npos || zero == 0)
    return "an unknown tool";
  // The lowest set bit of the first byte counts the bytes of the integer.
  size_t versionBytes = llvm::countr_zero<uint8_t>(rest.front()) + 1;
  llvm::StringRef name = rest.take_front(zero).substr(versionBytes, 64);
  if (name.empty() || !llvm::all_of(name, llvm::isPrint))
    return "an unknown tool";
  return ("'" + name + "'").str();
}

/// Parses `buffer`, and sets `reason` to the first sentence of the first error; MLIR goes on with
/// advice for its own tools.
static mlir::OwningOpRef<mlir::ModuleOp>
parseQuietly(llvm::MemoryBufferRef buffer, mlir::MLIRContext &context, std::string &reason) {
  mlir::ScopedDiagnosticHandler handler(&context, [&](mlir::Diagnostic &diagnostic) {
    if (reason.empty() && diagnostic.getSeverity() == mlir::DiagnosticSeverity::Error)
      reason = llvm::StringRef(diagnostic.str()).split(". ").first.str();
    return mlir::success();
  });
  mlir::Block block;
  if (mlir::failed(mlir::readBytecodeFile(buffer, &block, mlir::ParserConfig(&context))))
    return {};
  auto start = mlir::FileLineColLoc::get(&context, buffer.getBufferIdentifier(), 1, 1);
  return mlir::detail::constructContainerOpForParserIfNecessary<mlir::ModuleOp>(&block, &context,
                                                                                start);
}

/// Parses a program with attributes of dialects that are not known, and keeps them.
static mlir::OwningOpRef<mlir::ModuleOp> parseKeepingUnknown(llvm::MemoryBufferRef buffer,
                                                             mlir::MLIRContext &context) {
  if (context.allowsUnregisteredDialects())
    return {}; // Such a context has kept them already.
  std::string ignored;
  context.allowUnregisteredDialects(true);
  mlir::OwningOpRef<mlir::ModuleOp> module = parseQuietly(buffer, context, ignored);
  context.allowUnregisteredDialects(false);
  mlir::ScopedDiagnosticHandler quiet(&context, [](mlir::Diagnostic &) { return mlir::success(); });
  if (module && mlir::failed(checkKnown(*module)))
    return {};
  return module;
}

mlir::OwningOpRef<mlir::ModuleOp> parseBytecode(llvm::MemoryBufferRef buffer,
                                                mlir::MLIRContext &context, std::string &why) {
  std::string reason;
  mlir::OwningOpRef<mlir::ModuleOp> module = parseQuietly(buffer, context, reason);
  if (!module)
    module = parseKeepingUnknown(buffer, context);
  if (module)
    return module;
  if (reason.empty())
    reason = "it ends early";
  why = "1:1: error: bytecode written by " + producerOf(buffer.getBuffer()) + " cannot be read (" +
        reason +
        "); write the program as text: lowered.as_text() or exported.mlir_module() in JAX, "
        "get_stablehlo_text() in PyTorch/XLA";
  return {};
}

} // namespace spmd
