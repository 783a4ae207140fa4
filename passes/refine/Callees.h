// What is to know of functions before any is refined: private to this folder.
#pragma once

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/DenseSet.h"

namespace spmd {

/// Returns whether `type` is, or holds, a tensor of dynamic shape.
bool isDynamic(mlir::Type type);

/// Returns the attribute of `op` that names the function it calls; null if it calls none.
mlir::FlatSymbolRefAttr calleeOf(mlir::Operation *op);
void setCallee(mlir::Operation *op, mlir::StringRef name);

/// Returns whether `op` itself has values of dynamic shape, or sizes as operands.
bool isDynamicOp(mlir::Operation *op);
/// Returns whether `op` itself, not what is in its regions or what it calls, does more than give
/// results and say how they lie.
bool hasOwnEffects(mlir::Operation *op);
/// Returns whether devices that run `op` on equal operands may get different results, or take part
/// in each other's.
bool dependsOnDevice(mlir::Operation *op);

/// Which functions of a module are dynamic, have effects or depend on the device, through calls
/// too. Linear.
class Callees {
public:
  explicit Callees(mlir::ModuleOp module);

  bool isDynamic(mlir::func::FuncOp func) const { return dynamic.contains(func); }
  bool hasEffects(mlir::func::FuncOp func) const { return effectful.contains(func); }
  bool dependsOnDevice(mlir::func::FuncOp func) const { return perDevice.contains(func); }

  /// What holds of `func` besides its sizes holds of its refined `copy`.
  void addRefined(mlir::func::FuncOp copy, mlir::func::FuncOp func);

private:
  using Functions = llvm::DenseSet<mlir::Operation *>;

  Functions dynamic, effectful, perDevice;
};

/// Erases private functions that no symbol of another function, or of the module, leads to.
void eraseUnreached(mlir::ModuleOp module);

} // namespace spmd
