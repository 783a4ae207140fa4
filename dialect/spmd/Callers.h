// Who names the functions of a module.
#pragma once

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/DenseSet.h"

namespace spmd {

struct Callers {
  llvm::SmallVector<mlir::func::CallOp> calls; ///< In the order of the module.
  /// Symbols that something else than a call names: their signatures are its business, too.
  llvm::DenseSet<mlir::StringAttr> namedByOthers;
};

/// Linear.
Callers findCallers(mlir::ModuleOp module);

} // namespace spmd
