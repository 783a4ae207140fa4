// Programs in MLIR's bytecode.
#pragma once

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/Support/MemoryBufferRef.h"

namespace spmd {

/// Whether `contents` are MLIR's bytecode.
bool isBytecode(llvm::StringRef contents);

/// Reads a program that one of these tools wrote as bytecode. Other bytecode is refused, since
/// portable StableHLO has a dialect and an encoding of its own: returns null, and sets `why` to a
/// text that names who wrote it and what to write instead (`1:1: error: bytecode ..`). Emits no
/// diagnostic.
mlir::OwningOpRef<mlir::ModuleOp> parseBytecode(llvm::MemoryBufferRef buffer,
                                                mlir::MLIRContext &context, std::string &why);

} // namespace spmd
