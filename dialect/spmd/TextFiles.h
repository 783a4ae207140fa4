// Files beside the program: plans, device profiles.
#pragma once

#include "mlir/IR/MLIRContext.h"
#include "llvm/Support/MemoryBuffer.h"

#include <string>

namespace spmd {

/// Returns the text in the file at `path`; null if there is none, with the reason in `why`. Such
/// files are read more than once, so pipes will not do.
std::unique_ptr<llvm::MemoryBuffer> openTextFile(llvm::StringRef path, std::string &why);

/// Reports that the file at `path`, called `what` ("the plan"), cannot be read, and why.
void reportUnreadable(mlir::MLIRContext &context, llvm::StringRef path, llvm::StringRef what,
                      llvm::StringRef why);

} // namespace spmd
