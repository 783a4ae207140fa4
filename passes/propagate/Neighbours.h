// What is sharded around values that are not.
#pragma once

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/DenseMap.h"

namespace spmd {

/// The sharded values nearest to each value of a function: among what it is made of, and among what
/// is made of it. Linear in the function.
class Neighbours {
public:
  struct Near {
    mlir::Value value;    ///< Null if there is none.
    int32_t distance = 0; ///< In ops.
  };

  Neighbours(mlir::func::FuncOp func, llvm::function_ref<bool(mlir::Value)> isSharded);

  Near madeFrom(mlir::Value value) const { return before.lookup(value); }
  Near usedFor(mlir::Value value) const { return behind.lookup(value); }

private:
  using Test = llvm::function_ref<bool(mlir::Value)>;
  void comeTo(mlir::Operation *op, Test isSharded);
  void leave(mlir::Operation *op, Test isSharded);

  llvm::DenseMap<mlir::Value, Near> before, behind;
};

} // namespace spmd
