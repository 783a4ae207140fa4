// How often the ops of a program run.
#pragma once

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace spmd {

/// How often something runs in one run of the program.
struct RunCount {
  int64_t count = 0;
  bool isAtLeast = false; ///< It is in a loop of unknown length, counted as one iteration.

  RunCount operator*(const RunCount &other) const;
  void operator+=(const RunCount &other);
};

/// Returns the product or sum, or the largest number if that overflows.
int64_t saturatingMultiply(int64_t a, int64_t b);
int64_t saturatingAdd(int64_t a, int64_t b);

/// Returns the function that runs first: @main, or the first that others can call. Null if there is
/// none.
mlir::func::FuncOp entryOf(mlir::ModuleOp module);

/// Visits the ops that a run of the entry function reaches, callers before callees, each with how
/// often it runs. Where `visit` returns false, the regions of the op are not entered. Calls of
/// functions with a body are not visited. Linear.
void forEachRun(mlir::ModuleOp module,
                llvm::function_ref<bool(mlir::Operation *, const RunCount &)> visit);

} // namespace spmd
