// Who names the functions of a module.
#pragma once

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

#include <optional>

namespace spmd {

struct Callers {
  llvm::SmallVector<mlir::func::CallOp> calls; ///< In the order of the module.
  /// Symbols that something else than a call names: their signatures are its business, too.
  llvm::DenseSet<mlir::StringAttr> namedByOthers;
};

/// Those of a module, or that an op in one contains. Linear.
Callers findCallers(mlir::Operation *root);

/// Returns the symbols that calls or anything else name.
llvm::DenseSet<mlir::StringAttr> namesOf(const Callers &callers);

/// Returns the function of this name in the program around `op`, where it may stand out of the way
/// in a module of its own; null if there is none. Linear in the functions.
mlir::func::FuncOp functionNamed(mlir::Operation *op, llvm::StringRef name);

/// The functions of a module that one call alone names.
class OnlyCallees {
public:
  explicit OnlyCallees(mlir::ModuleOp module) : module(module) {}

  /// Returns the callee of `call` if it has a body and nothing else names it; null for any other.
  /// Linear the first time.
  mlir::func::FuncOp of(mlir::func::CallOp call);

private:
  mlir::ModuleOp module;
  /// A function, and how often it is named.
  struct Named {
    mlir::func::FuncOp func;
    int times = 0;
  };
  /// By name, once that was asked.
  std::optional<llvm::DenseMap<mlir::StringAttr, Named>> functions;
};

/// Follows a value to what reads it, into functions that are called there alone and out again.
class UseFollower {
public:
  explicit UseFollower(OnlyCallees &callees) : callees(callees) {}

  /// Returns the one use of `value` that is no such call and no end of such a function; null if
  /// there is none, or several. Adds to `passed` the arguments and results that it is on the way.
  mlir::OpOperand *useOf(mlir::Value value, llvm::SmallVectorImpl<mlir::Value> &passed);

  /// Whether that use is in a function that it came into.
  bool isInside() const { return !calls.empty(); }

private:
  OnlyCallees &callees;
  llvm::SmallVector<mlir::func::CallOp> calls; ///< That the value went into, and not out of.
};

} // namespace spmd
