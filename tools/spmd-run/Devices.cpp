#include "spmd/tools/spmd-run/Devices.h"
#include "spmd/dialect/spmd/ModulePlace.h"
#include "spmd/dialect/spmd/PartitionedModule.h"

#include "spmd/dialect/sdy/Dialect.h"
#include "spmd/lowering/compile/Compile.h"

#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/StringExtras.h"

namespace spmd {

static mlir::InFlightDiagnostic differs(mlir::Location place, int64_t has, int64_t asked) {
  return mlir::emitError(place) << "program is for " << has << " devices, --devices is " << asked
                                << "; --devices is for programs without a mesh";
}

mlir::LogicalResult setNumDevices(mlir::ModuleOp module, int64_t numDevices) {
  if (isPartitioned(module)) {
    int64_t has = numPartitionsOf(module);
    return has == numDevices ? mlir::success() : differs(placeOf(module), has, numDevices);
  }
  bool hasMesh = false;
  mlir::Operation *holder = nullptr;
  int64_t other = numDevices;
  mlir::AttrTypeWalker walker;
  walker.addWalk([&](sdy::MeshAttr attr) {
    const Mesh &mesh = attr.getMesh();
    if (mesh.axes().empty())
      return; // A maximal or empty mesh goes with any number.
    hasMesh = true;
    if (other == numDevices)
      other = mesh.numDevices();
  });
  module.walk([&](mlir::Operation *op) {
    walker.walk(op->getAttrDictionary());
    if (!holder && other != numDevices)
      holder = op;
  });
  if (holder)
    return differs(holder->getLoc(), other, numDevices);
  if (hasMesh)
    return mlir::success();
  absl::StatusOr<Mesh> mesh = Mesh::create({{"device", numDevices}});
  if (!mesh.ok())
    return mlir::emitError(placeOf(module)) << std::string(mesh.status().message());
  module.getContext()->getOrLoadDialect<sdy::SdyDialect>();
  mlir::OpBuilder builder(module.getContext());
  auto made = sdy::MeshOp::create(builder, module.getLoc(), "mesh",
                                  sdy::MeshAttr::get(module.getContext(), *std::move(mesh)));
  mlir::SymbolTable(module).insert(made, module.getBody()->begin()); // Renames it if need be.
  return mlir::success();
}

void warnOfReplicas(mlir::ModuleOp module, llvm::StringRef file, llvm::raw_ostream &errors) {
  auto count = module->getAttrOfType<mlir::IntegerAttr>("mhlo.num_replicas");
  if (count && count.getValue().sgt(1))
    errors << file << ": warning: program is for "
           << llvm::toString(count.getValue(), 10, /*Signed=*/true) << " replicas; one is run\n";
}

} // namespace spmd
