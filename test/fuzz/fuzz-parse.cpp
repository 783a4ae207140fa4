// Fuzzes the parser, the verifiers and the printer: whatever the text, no crash; and a program that
// is accepted prints as one that is accepted too, and prints alike.

#include "Contexts.h"

#include "spmd/dialect/import/Load.h"
#include "spmd/dialect/import/UnknownOps.h"

#include "mlir/Parser/Parser.h"

using namespace mlir;
using spmd::fuzz::fail;

namespace {

OwningOpRef<ModuleOp> parse(llvm::StringRef text, MLIRContext &context, std::string &messages) {
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    if (diagnostic.getSeverity() == DiagnosticSeverity::Error) // Says it all: messages run, too.
      messages += diagnostic.str() + "\n";
    return success();
  });
  return parseSourceString<ModuleOp>(text, &context);
}

std::string print(ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream(text) << module;
  return text;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  // MLIR's lexer wants the zero behind the text that a file's buffer has.
  std::string terminated(reinterpret_cast<const char *>(data), size);
  llvm::StringRef text = terminated;
  if (!spmd::whyNotText(text).empty() || text.starts_with("ML\xefR"))
    return -1;
  MLIRContext &context = spmd::fuzz::freshContext();
  std::string messages, again;
  OwningOpRef<ModuleOp> module = parse(text, context, messages);
  if (!module) {
    spmd::findUnknownOps(text, context);
    if (messages.empty())
      fail("rejected without a message", text, "");
    return 0;
  }
  std::string printed = print(*module);
  OwningOpRef<ModuleOp> second = parse(printed, context, again);
  if (!second)
    fail("what was printed is rejected", printed, again);
  // A blob gets another name where the context has one of its name.
  bool hasBlobs = llvm::StringRef(printed).contains("dense_resource<");
  if (std::string reprinted = print(*second); !hasBlobs && reprinted != printed)
    fail("printed again, it differs", printed, reprinted);
  return 0;
}
