// How often the ops of a program run.
#pragma once

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include <vector>

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

/// The functions with a body that a run of one of them reaches. Calls that lead back are no cycle
/// here: a function that is known is not entered again.
class ReachedFunctions {
public:
  /// Takes a stack of its own, as chains of calls may be long. Linear.
  explicit ReachedFunctions(mlir::func::FuncOp entry);

  /// Returns the function that `op` calls; null if `op` is no call, or the function has no body.
  mlir::func::FuncOp calleeOf(mlir::Operation *op);

  /// Returns the functions, callees before callers.
  const std::vector<mlir::func::FuncOp> &calleesFirst() const { return order; }

private:
  mlir::SymbolTableCollection symbols;
  llvm::DenseSet<mlir::Operation *> known;
  std::vector<mlir::func::FuncOp> order;
};

/// Visits the ops that a run of the entry function reaches, callers before callees, each with how
/// often it runs. Where `visit` returns false, the regions of the op are not entered. Calls of
/// functions with a body are not visited. Linear.
void forEachRun(mlir::ModuleOp module,
                llvm::function_ref<bool(mlir::Operation *, const RunCount &)> visit);

} // namespace spmd
