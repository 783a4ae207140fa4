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

/// Which functions of a module are dynamic or have effects, through calls too. Linear.
class Callees {
public:
  explicit Callees(mlir::ModuleOp module);

  bool isDynamic(mlir::func::FuncOp func) const { return dynamic.contains(func); }
  bool hasEffects(mlir::func::FuncOp func) const { return effectful.contains(func); }
  bool anyDynamic() const { return !dynamic.empty(); }

private:
  using Functions = llvm::DenseSet<mlir::Operation *>;

  Functions dynamic, effectful;
};

/// Erases private functions that no symbol of another function, or of the module, leads to.
void eraseUnreached(mlir::ModuleOp module);

} // namespace spmd
