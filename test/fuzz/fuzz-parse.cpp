// Fuzzes the parser, the verifiers and the printer: whatever the text, no crash; and a program that
// is accepted prints as one that is accepted too, and prints alike.

#include "spmd/dialect/chlo/Dialect.h"
#include "spmd/dialect/import/Load.h"
#include "spmd/dialect/interpreter/Dialect.h"
#include "spmd/dialect/sdy/Dialect.h"
#include "spmd/dialect/spmd/Dialect.h"
#include "spmd/dialect/stablehlo/Dialect.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Quant/IR/Quant.h"
#include "mlir/Parser/Parser.h"

using namespace mlir;

namespace {

/// A context takes longer to make than a small program to read, and never forgets an attribute: it
/// is made anew now and then.
MLIRContext &freshContext() {
  static std::unique_ptr<MLIRContext> context;
  static int uses = 0;
  if (!context || ++uses % 512 == 0) {
    context.reset(); // Two contexts at once take twice the memory.
    DialectRegistry registry;
    registry.insert<arith::ArithDialect, func::FuncDialect, quant::QuantDialect, spmd::SpmdDialect,
                    spmd::chlo::ChloDialect, spmd::interpreter::InterpreterDialect,
                    spmd::sdy::SdyDialect, spmd::stablehlo::StablehloDialect>();
    context = std::make_unique<MLIRContext>(registry, MLIRContext::Threading::DISABLED);
    context->loadAllAvailableDialects();
  }
  return *context;
}

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

/// Ends the run as a finding.
[[noreturn]] void fail(llvm::StringRef what, llvm::StringRef first, llvm::StringRef second) {
  llvm::errs() << "finding: " << what << "\n--- printed\n" << first << "\n--- then\n" << second;
  abort();
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  // MLIR's lexer wants the zero behind the text that a file's buffer has.
  std::string terminated(reinterpret_cast<const char *>(data), size);
  llvm::StringRef text = terminated;
  if (!spmd::whyNotText(text).empty() || text.starts_with("ML\xefR"))
    return -1;
  MLIRContext &context = freshContext();
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
  if (std::string reprinted = print(*second); reprinted != printed)
    fail("printed again, it differs", printed, reprinted);
  return 0;
}
