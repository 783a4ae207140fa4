// Parsing that remembers what the text calls its values.
#pragma once

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/Support/SourceMgr.h"

namespace spmd {

/// Parses the main buffer of `sourceMgr`, a text, as `mlir::parseSourceFile` does, and keeps the
/// names of values in their locations (dialect/spmd/WrittenNames.h).
mlir::OwningOpRef<mlir::ModuleOp> parseWithNames(llvm::SourceMgr &sourceMgr,
                                                 mlir::MLIRContext &context);

} // namespace spmd
