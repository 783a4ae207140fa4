// What must hold of a module that a reader of HLO has accepted.
#pragma once

#include "Contexts.h"

#include "spmd/dialect/import/Shardings.h"
#include "spmd/dialect/import/hlo/ImportHlo.h"
#include "spmd/ir/hlo/Hlo.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Verifier.h"

namespace spmd::fuzz {

/// Prints the module, which must not depend on whether it verifies; and imports one that verifies,
/// as loadHlo does: either messages say what is wrong, or the IR verifies.
inline void checkModule(const hlo::HloModuleProto &module) {
  std::string text = hlo::printHlo(module);
  if (!hlo::verify(module).ok())
    return;
  std::string messages;
  mlir::MLIRContext &context = freshContext();
  mlir::ScopedDiagnosticHandler handler(&context, [&](mlir::Diagnostic &diagnostic) {
    if (diagnostic.getSeverity() == mlir::DiagnosticSeverity::Error)
      messages += diagnostic.str() + "\n"; // Says it all: messages run, too.
    return mlir::success();
  });
  mlir::OwningOpRef<mlir::ModuleOp> imported = importHlo(module, context);
  bool ok = imported && mlir::succeeded(importShardings(*imported)) &&
            mlir::succeeded(mlir::verify(*imported));
  if (!ok && messages.empty())
    fail("refused without a message", text, "");
  if (ok && !messages.empty())
    fail("accepted with an error", text, messages);
}

} // namespace spmd::fuzz
