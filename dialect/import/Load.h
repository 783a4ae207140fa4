// Reading programs.
#pragma once

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/Support/SourceMgr.h"

namespace spmd {

/// Reads the program in `path` ("-" for standard input) into `context`: StableHLO as text or
/// bytecode, or HLO, told apart by what the file holds. All shardings are in `sdy`'s notation then.
///
/// Fails after diagnostics through `sourceMgr` (to `errors`, with the line they speak of) if there
/// is no such file, it holds no text, or it is no valid program. Where the parser stops at an op it
/// does not know, the rest of the text is searched, so that all unknown ops are named at once.
/// With `keepNames`, values remember what the text calls them (dialect/spmd/WrittenNames.h).
/// `handle`, if there is one, gets each diagnostic first, and may keep it by returning success.
mlir::OwningOpRef<mlir::ModuleOp>
loadProgram(llvm::StringRef path, mlir::MLIRContext &context, llvm::SourceMgr &sourceMgr,
            llvm::raw_ostream &errors, bool keepNames = false,
            llvm::function_ref<mlir::LogicalResult(mlir::Diagnostic &)> handle = nullptr);

/// Checks that `text` can be a program: not empty, no binary data but bytecode, brackets not so
/// deep that the parser would run out of stack. Returns what is wrong (`1:1: error: file is empty;
/// ..`), or nothing. Linear.
std::string whyNotText(llvm::StringRef text);

} // namespace spmd
