#include "spmd/passes/partition/OneDevice.h"

#include "spmd/dialect/partitioning/Partitionable.h"
#include "spmd/dialect/spmd/Dialect.h"
#include "spmd/dialect/spmd/ValueSharding.h"
#include "spmd/passes/reshard/OneDevice.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace spmd {

/// Returns whether the module, or a function at its boundary, says anything of shardings.
static bool saysSharding(mlir::ModuleOp module) {
  auto says = [](mlir::func::FuncOp func) {
    for (unsigned i = 0; i < func.getNumArguments(); ++i)
      if (func.getArgAttr(i, shardingAttrName))
        return true;
    for (unsigned i = 0; i < func.getNumResults(); ++i)
      if (func.getResultAttr(i, shardingAttrName))
        return true;
    return false;
  };
  return !module.getOps<sdy::MeshOp>().empty() ||
         llvm::any_of(module.getOps<mlir::func::FuncOp>(), says);
}

/// Says of what a function takes and returns what the partitioner says of parts.
static void describeBoundary(mlir::func::FuncOp func) {
  BoundaryAttributes boundary(func);
  bool isBoundary = func.isPublic() || func.getSymName() == "main";
  auto describe = [&](mlir::Type type, mlir::NamedAttrList &attributes) {
    for (llvm::StringRef name : boundaryNoteNames)
      attributes.erase(name);
    if (!isBoundary)
      attributes.erase(shardingAttrName);
    else if (mlir::RankedTensorType tensor = tensorTypeOf(type))
      attributes.set(globalTypeAttrName, mlir::TypeAttr::get(tensor));
  };
  for (auto [i, type] : llvm::enumerate(func.getArgumentTypes()))
    describe(type, boundary.ofArgument(i));
  for (auto [i, type] : llvm::enumerate(func.getResultTypes()))
    describe(type, boundary.ofResult(i));
  boundary.write();
}

void partitionForOneDevice(mlir::ModuleOp module) {
  dropPlacements(module);
  if (!saysSharding(module))
    return;
  for (auto func : module.getOps<mlir::func::FuncOp>())
    describeBoundary(func);
  module->removeAttr(prioritiesServedAttrName);
  mlir::Builder builder(module.getContext());
  for (llvm::StringRef count : {"mhlo.num_partitions", "mhlo.num_replicas"})
    if (!module->hasAttr(count))
      module->setAttr(count, builder.getI32IntegerAttr(1));
}

} // namespace spmd
