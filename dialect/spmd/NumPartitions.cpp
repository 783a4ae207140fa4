#include "spmd/dialect/spmd/NumPartitions.h"

#include "spmd/dialect/sdy/Dialect.h"

#include "llvm/ADT/StringExtras.h"

#include <algorithm>

namespace spmd {

int64_t statedPartitions(mlir::ModuleOp module) {
  auto said = module->getAttrOfType<mlir::IntegerAttr>(numPartitionsName);
  return said && said.getValue().isSignedIntN(64) ? said.getValue().getSExtValue() : 0;
}

int64_t numDevicesIn(mlir::ModuleOp module) {
  int64_t largest = std::max<int64_t>(1, statedPartitions(module));
  for (auto mesh : module.getOps<sdy::MeshOp>())
    largest = std::max(largest, mesh.getMeshAttr().getMesh().numDevices());
  return largest;
}

mlir::LogicalResult checkNumPartitions(mlir::ModuleOp module) {
  auto said = module->getAttrOfType<mlir::IntegerAttr>(numPartitionsName);
  if (!said || said.getValue().sle(1))
    return mlir::success();
  bool ok = true;
  for (auto mesh : module.getOps<sdy::MeshOp>()) {
    const Mesh &axes = mesh.getMeshAttr().getMesh();
    if (axes.axes().empty() || said.getValue() == axes.numDevices())
      continue;
    mesh.emitError() << "mesh @" << mesh.getSymName() << " has " << axes.numDevices()
                     << " devices, '" << numPartitionsName << "' of the module is "
                     << llvm::toString(said.getValue(), 10, /*Signed=*/true);
    ok = false;
  }
  return mlir::success(ok);
}

} // namespace spmd
