// Regions of ops that are no data-flow ops: scalar computations, and what every device runs whole.
#pragma once

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"

#include <functional>

namespace spmd {

/// Makes the regions of ops that run whole independent of shardings: what they read from outside
/// comes to them whole, and what they call is a copy of its own. (What they say of shardings is
/// dropped beforehand, by `Survey`.)
class WholeRegions {
public:
  /// `bringWhole` returns a value that every device holds whole, for use at an op.
  WholeRegions(mlir::ModuleOp module,
               std::function<mlir::Value(mlir::Value, mlir::Operation *)> bringWhole)
      : module(module), bringWhole(std::move(bringWhole)) {}

  void makeWhole(mlir::Operation *op);

  /// Brings what the regions of `op` read from outside to them whole: a reducer runs on single
  /// elements.
  void bringCaptures(mlir::Operation *op);

private:
  /// Returns the copy of `callee` that runs whole, made on first use.
  mlir::func::FuncOp wholeCopyOf(mlir::func::FuncOp callee);
  void redirectCalls(mlir::Region &region);

  mlir::ModuleOp module;
  std::function<mlir::Value(mlir::Value, mlir::Operation *)> bringWhole;
  llvm::DenseMap<mlir::Operation *, mlir::func::FuncOp> copies;
};

} // namespace spmd
