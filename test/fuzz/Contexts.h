// What the targets that make IR share.
#pragma once

#include "spmd/dialect/chlo/Dialect.h"
#include "spmd/dialect/interpreter/Dialect.h"
#include "spmd/dialect/sdy/Dialect.h"
#include "spmd/dialect/spmd/Dialect.h"
#include "spmd/dialect/stablehlo/Dialect.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Quant/IR/Quant.h"

#include "llvm/Support/raw_ostream.h"

namespace spmd::fuzz {

/// A context takes longer to make than a small program to read, and never forgets an attribute: it
/// is made anew now and then.
inline mlir::MLIRContext &freshContext() {
  static std::unique_ptr<mlir::MLIRContext> context;
  static int uses = 0;
  if (!context || ++uses % 512 == 0) {
    context.reset(); // Two contexts at once take twice the memory.
    mlir::DialectRegistry registry;
    registry.insert<mlir::arith::ArithDialect, mlir::func::FuncDialect, mlir::quant::QuantDialect,
                    SpmdDialect, chlo::ChloDialect, interpreter::InterpreterDialect,
                    sdy::SdyDialect, stablehlo::StablehloDialect>();
    context = std::make_unique<mlir::MLIRContext>(registry, mlir::MLIRContext::Threading::DISABLED);
    context->loadAllAvailableDialects();
  }
  return *context;
}

/// Ends the run as a finding.
[[noreturn]] inline void fail(llvm::StringRef what, llvm::StringRef first, llvm::StringRef second) {
  llvm::errs() << "finding: " << what << "\n--- first\n" << first << "\n--- then\n" << second;
  abort();
}

} // namespace spmd::fuzz
