// Results of functions that hold what is left in their buffer arguments.
#pragma once

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace spmd {

/// What a buffer argument of a function holds at its end.
struct Content {
  unsigned argument;
  mlir::Value tensor;
};

/// Makes `contents` further results of `func`, with the shardings of their arguments.
void appendResults(mlir::func::FuncOp func, llvm::ArrayRef<Content> contents);

} // namespace spmd
