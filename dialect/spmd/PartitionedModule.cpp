#include "spmd/dialect/spmd/PartitionedModule.h"

#include "spmd/dialect/spmd/Dialect.h"
#include "spmd/dialect/spmd/ModulePlace.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace spmd {

bool isPartitioned(mlir::ModuleOp module) {
  if (module->hasAttr(partitionedAttrName))
    return true;
  for (auto func : module.getOps<mlir::func::FuncOp>()) {
    for (unsigned i = 0; i < func.getNumArguments(); ++i)
      if (func.getArgAttr(i, globalTypeAttrName))
        return true;
    for (unsigned i = 0; i < func.getNumResults(); ++i)
      if (func.getResultAttr(i, globalTypeAttrName))
        return true;
  }
  return false;
}

mlir::LogicalResult verifyIsWhole(mlir::ModuleOp module, llvm::StringRef what) {
  if (!isPartitioned(module))
    return mlir::success();
  return mlir::emitError(placeOf(module))
         << "program is partitioned already; " << what << " is for programs of whole tensors";
}

} // namespace spmd
