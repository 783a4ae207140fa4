// Ops of a text that no dialect knows.
#pragma once

#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/Operation.h"
#include "llvm/Support/SourceMgr.h"

namespace spmd {

/// An op that no dialect of a context knows, where it first occurs in a text.
struct UnknownOp {
  std::string name;
  size_t offset; ///< In bytes.
};

/// Returns the ops in `text` that `context` does not know, each once. Reads words where an op may
/// stand, without parsing. Linear.
std::vector<UnknownOp> findUnknownOps(llvm::StringRef text, mlir::MLIRContext &context);

/// Names all ops of a text buffer that `context` does not know, each in its line. Returns whether
/// there are any.
bool reportUnknownOps(const llvm::SourceMgr &sourceMgr, unsigned buffer, mlir::MLIRContext &context,
                      llvm::raw_ostream &errors);

/// Reports the ops in `root` that its context does not know, each name once, and values whose type
/// is of a dialect that it does not know. Attributes of such a dialect may stay. Linear.
mlir::LogicalResult checkKnown(mlir::Operation *root);

} // namespace spmd
