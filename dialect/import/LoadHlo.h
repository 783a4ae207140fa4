// Reading HLO.
#pragma once

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace spmd {

/// How a program is written.
enum class ProgramFormat { mlir, hloText, hloProto };

/// Returns `contents` without the mark of UTF-8 that some editors put first.
llvm::StringRef withoutMark(llvm::StringRef contents);

/// Tells the format of a file from its first bytes. What is none of the others passes for MLIR.
ProgramFormat formatOf(llvm::StringRef contents);

/// Returns the HLO module in `contents`, text or proto, as StableHLO with shardings in `sdy`'s
/// notation. A module of several partitions that says of no value how it is split gets a mesh of
/// one axis. With `keepNames`, values remember the instructions they are made by
/// (dialect/spmd/WrittenNames.h). Fails after diagnostics at `path` or at an instruction.
mlir::OwningOpRef<mlir::ModuleOp> loadHlo(llvm::StringRef contents, llvm::StringRef path,
                                          mlir::MLIRContext &context, bool keepNames = false);

} // namespace spmd
