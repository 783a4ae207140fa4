#include "spmd/dialect/import/MeshSizes.h"

#include "spmd/dialect/import/Boundaries.h"
#include "spmd/dialect/sdy/Dialect.h"
#include "spmd/dialect/spmd/ValueSharding.h"
#include "spmd/dialect/spmd/Walk.h"
#include "spmd/dialect/stablehlo/Dialect.h"
#include "spmd/dialect/stablehlo/Traits.h"
#include "spmd/ir/sharding/Subset.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/Diagnostics.h"

namespace spmd {

namespace {

using mlir::LogicalResult;

/// Returns the mesh that stands in `sharding` itself if it has axes, or null.
sdy::MeshAttr inlinedMesh(sdy::ShardingAttr sharding) {
  auto mesh = llvm::dyn_cast<sdy::MeshAttr>(sharding.getMeshOrRef());
  return mesh && !mesh.getMesh().axes().empty() ? mesh : sdy::MeshAttr();
}

/// A mesh goes by its name, a `StringAttr`, or by itself where a sharding contains it.
class Unifier {
public:
  Unifier(mlir::ModuleOp module, int64_t atLeast) : module(module), numDevices(atLeast) {}

  LogicalResult run() {
    for (auto mesh : module.getOps<sdy::MeshOp>())
      if (!mesh.getMeshAttr().getMesh().axes().empty())
        meshes[mesh.getSymNameAttr()] = mesh;
    if (!differ())
      return mlir::success();
    findUsed();
    for (mlir::Attribute mesh : used)
      numDevices = std::max(numDevices, meshOf(mesh).numDevices());
    bool ok = true;
    for (mlir::Attribute mesh : used)
      if (meshOf(mesh).numDevices() != numDevices)
        ok &= mlir::succeeded(grow(mesh));
    for (const auto &[name, mesh] : meshes)
      if (!used.contains(name) && meshOf(name).numDevices() != numDevices)
        settleUnused(name);
    if (ok && !grown.empty())
      write();
    return mlir::success(ok);
  }

private:
  const Mesh &meshOf(mlir::Attribute mesh) {
    if (auto name = llvm::dyn_cast<mlir::StringAttr>(mesh))
      return meshes[name].getMeshAttr().getMesh();
    return llvm::cast<sdy::MeshAttr>(mesh).getMesh();
  }

  std::string describe(mlir::Attribute mesh) {
    auto name = llvm::dyn_cast<mlir::StringAttr>(mesh);
    return "mesh " + (name ? "@" + name.str() : meshOf(mesh).str()) + " of " +
           std::to_string(meshOf(mesh).numDevices()) + " devices";
  }

  /// Calls `visit` with the meshes that an attribute names or contains.
  template <typename Visit> void forEachMesh(mlir::Attribute attribute, Visit visit) {
    mlir::AttrTypeWalker walker;
    walker.addWalk([&](mlir::FlatSymbolRefAttr name) {
      if (meshes.count(name.getAttr()))
        visit(mlir::Attribute(name.getAttr()));
      return mlir::WalkResult::advance();
    });
    walker.addWalk([&](sdy::ShardingAttr sharding) {
      if (sdy::MeshAttr mesh = inlinedMesh(sharding))
        visit(mlir::Attribute(mesh));
      return mlir::WalkResult::advance();
    });
    if (attribute)
      walker.walk(attribute);
  }

  /// Returns whether the sizes of the meshes differ from each other, or from the least size.
  bool differ() {
    int64_t size = numDevices;
    auto differs = [&](const Mesh &mesh) {
      bool isOther = size > 0 && mesh.numDevices() != size;
      size = mesh.numDevices();
      return isOther;
    };
    for (const auto &[name, mesh] : meshes)
      if (differs(meshOf(name)))
        return true;
    bool result = false;
    mlir::AttrTypeWalker walker; // Looks at each attribute once.
    walker.addWalk([&](sdy::ShardingAttr sharding) {
      if (sdy::MeshAttr mesh = inlinedMesh(sharding))
        result |= differs(mesh.getMesh());
      return mlir::WalkResult::advance();
    });
    return anyOp(module, [&](mlir::Operation *op) {
      if (holdsSharding(op) || llvm::isa<mlir::func::FuncOp>(op))
        walker.walk(op->getAttrDictionary());
      else if (!op->getRawDictionaryAttrs().empty())
        walker.walk(op->getDiscardableAttrDictionary());
      return result;
    });
  }

  void findUsed() {
    llvm::DenseSet<mlir::Attribute> seen;
    forEachOp(module, [&](mlir::Operation *op) {
      mlir::DictionaryAttr attributes = op->getAttrDictionary();
      if (op != module && seen.insert(attributes).second)
        forEachMesh(attributes, [&](mlir::Attribute mesh) { used.insert(mesh); });
    });
  }

  /// No sharding names the mesh, but a plan may.
  void settleUnused(mlir::StringAttr name) {
    int64_t size = meshOf(name).numDevices();
    if (!used.empty() || (size < numDevices && numDevices % size != 0))
      meshes[name].erase();
    else if (absl::StatusOr<Mesh> larger = withIdleDevices(meshOf(name), numDevices);
             size < numDevices && larger.ok())
      grown[name] = sdy::MeshAttr::get(module.getContext(), *larger);
  }

  LogicalResult grow(mlir::Attribute mesh) {
    absl::StatusOr<Mesh> larger = withIdleDevices(meshOf(mesh), numDevices);
    if (larger.ok())
      grown[mesh] = sdy::MeshAttr::get(module.getContext(), *larger);
    bool ok = true;
    forEachOp(module, [&](mlir::Operation *op) {
      if (op == module || !isOn(op->getAttrDictionary(), mesh))
        return;
      if (!larger.ok())
        ok &= mlir::succeeded(reportNotDividing(op, mesh));
      else if (auto manual = llvm::dyn_cast<sdy::ManualComputationOp>(op))
        ok &= mlir::succeeded(checkManual(manual, mesh));
    });
    return mlir::success(ok);
  }

  bool isOn(mlir::Attribute attribute, mlir::Attribute mesh) {
    bool isOnMesh = false;
    forEachMesh(attribute, [&](mlir::Attribute each) { isOnMesh |= each == mesh; });
    return isOnMesh;
  }

  LogicalResult reportNotDividing(mlir::Operation *op, mlir::Attribute mesh) {
    std::string fact = " has a sharding on " + describe(mesh) + ", but the program has " +
                       std::to_string(numDevices) +
                       ", which is no multiple; values do not move between such meshes";
    auto function = llvm::dyn_cast<mlir::func::FuncOp>(op);
    if (!function)
      return op->emitOpError() << llvm::StringRef(fact).drop_front();
    forEachBoundary(function, [&](const BoundaryValue &value) {
      if (isOn(value.attributes, mesh))
        mlir::emitError(value.location) << value.name << fact;
    });
    return mlir::failure();
  }

  /// Groups of devices and numbers of devices would be those of the smaller mesh.
  LogicalResult checkManual(sdy::ManualComputationOp manual, mlir::Attribute mesh) {
    auto isPlain = [](mlir::Operation *op) {
      return !op->hasTrait<stablehlo::Collective>() &&
             !llvm::isa<stablehlo::PartitionIdOp, stablehlo::ReplicaIdOp, mlir::func::CallOp>(op);
    };
    bool ok = true;
    manual->walk([&](mlir::Operation *op) {
      if (ok && !isPlain(op)) {
        mlir::InFlightDiagnostic diagnostic = manual.emitOpError()
                                              << "is on " << describe(mesh)
                                              << ", and communicates in a program of " << numDevices
                                              << "; give its mesh all devices";
        diagnostic.attachNote(op->getLoc()) << "communicates or calls a function here";
        ok = false;
      }
    });
    return mlir::success(ok);
  }

  void write() {
    bool isInlined = false;
    for (const auto &[mesh, larger] : grown)
      if (auto name = llvm::dyn_cast<mlir::StringAttr>(mesh)) {
        meshes[name].setMeshAttr(larger);
        meshes[name]->removeDiscardableAttr("stablehlo.mesh"); // Says the same again.
      } else {
        isInlined = true;
      }
    if (!isInlined)
      return;
    mlir::AttrTypeReplacer replacer;
    replacer.addReplacement([&](sdy::ShardingAttr sharding) -> std::optional<mlir::Attribute> {
      auto found = grown.find(sharding.getMeshOrRef());
      if (found == grown.end())
        return std::nullopt;
      return sdy::ShardingAttr::get(module.getContext(), found->second, sharding.getSpec());
    });
    replacer.recursivelyReplaceElementsIn(module);
  }

  mlir::ModuleOp module;
  llvm::MapVector<mlir::StringAttr, sdy::MeshOp> meshes; ///< Those with names and axes.
  llvm::SetVector<mlir::Attribute> used;                 ///< Those that shardings are on.
  llvm::MapVector<mlir::Attribute, sdy::MeshAttr> grown; ///< Their forms with all devices.
  int64_t numDevices;
};

} // namespace

mlir::LogicalResult unifyMeshSizes(mlir::ModuleOp module, int64_t atLeast) {
  return Unifier(module, atLeast).run();
}

} // namespace spmd
