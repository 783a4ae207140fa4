#include "spmd/dialect/import/Meshes.h"

#include "spmd/dialect/sdy/Dialect.h"
#include "spmd/dialect/spmd/ModulePlace.h"
#include "spmd/dialect/spmd/Notation.h"
#include "spmd/dialect/spmd/NumPartitions.h"
#include "spmd/ir/sharding/Subset.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/SymbolTable.h"

namespace spmd {

using Kind = TileSharding::Kind;
using Shardings = std::vector<const TileSharding *>;

/// Adds what none of `meshes` has axes for; of tuples, their elements.
static void addUnplaced(const TileSharding &sharding, llvm::ArrayRef<MeshByName> meshes,
                        Shardings &unplaced) {
  for (const TileSharding &element : sharding.elements)
    addUnplaced(element, meshes, unplaced);
  auto hasAxes = [&](const MeshByName &each) { return hasAxesFor(each.mesh, sharding); };
  if (sharding.kind != Kind::tuple && llvm::none_of(meshes, hasAxes))
    unplaced.push_back(&sharding);
}

mlir::LogicalResult addMeshes(mlir::ModuleOp module, llvm::ArrayRef<TileSharding *> shardings,
                              int64_t numDevices, bool mayFail, std::vector<MeshByName> &meshes) {
  for (auto each : module.getOps<sdy::MeshOp>())
    if (!each.getMeshAttr().getMesh().axes().empty())
      meshes.push_back(
          {mlir::FlatSymbolRefAttr::get(each.getSymNameAttr()), each.getMeshAttr().getMesh()});
  bool isFirst = meshes.empty();
  Shardings unplaced;
  for (TileSharding *each : shardings)
    addUnplaced(*each, meshes, unplaced);
  if (!isFirst && unplaced.empty())
    return mlir::success();
  if (!isFirst)
    numDevices = meshes.front().mesh.numDevices();
  absl::StatusOr<std::vector<Mesh>> found = meshesFor(unplaced, numDevices);
  if (!found.ok())
    return mayFail || !isFirst
               ? mlir::success()
               : mlir::emitError(placeOf(module)) << std::string(found.status().message());
  mlir::SymbolTable symbols(module);
  mlir::OpBuilder builder = mlir::OpBuilder::atBlockBegin(module.getBody());
  if (!isFirst)
    builder.setInsertionPointAfter(symbols.lookup(meshes.back().name.getValue()));
  for (const Mesh &mesh : *found) {
    auto made = sdy::MeshOp::create(builder, module.getLoc(), "mesh",
                                    sdy::MeshAttr::get(module.getContext(), mesh));
    symbols.insert(made); // Renames it if need be.
    setNotation(made, Notation::gspmd);
    meshes.push_back({mlir::FlatSymbolRefAttr::get(made.getSymNameAttr()), mesh});
  }
  return mlir::success();
}

int64_t saidNumDevices(mlir::ModuleOp module, llvm::ArrayRef<TileSharding *> shardings) {
  if (int64_t count = statedPartitions(module); count > 1)
    return count;
  return leastNumDevices(std::vector<const TileSharding *>(shardings.begin(), shardings.end()));
}

int64_t countDevices(mlir::ModuleOp module, llvm::ArrayRef<TileSharding *> shardings) {
  for (auto each : module.getOps<sdy::MeshOp>())
    if (const Mesh &mesh = each.getMeshAttr().getMesh(); !mesh.axes().empty())
      return mesh.numDevices();
  return saidNumDevices(module, shardings);
}

mlir::LogicalResult coverDevices(TileSharding &sharding, int64_t numDevices, const SaidAt *place) {
  if (int64_t own = sharding.numDevices(); numDevices > 0 && own > numDevices) {
    if (place)
      place->emitError() << "sharding " << sharding.str() << " is for " << own
                         << " devices, the program for " << numDevices;
    return mlir::failure();
  }
  bool isPart = !sharding.namesAllDevices() || sharding.numDevices() < numDevices;
  if (!isPart)
    return mlir::success();
  absl::StatusOr<TileSharding> all = withIdleDevices(sharding, numDevices);
  if (all.ok()) {
    sharding = *std::move(all);
    return mlir::success();
  }
  if (place)
    place->emitError() << std::string(all.status().message());
  return mlir::failure();
}

} // namespace spmd
