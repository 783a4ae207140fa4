#include "spmd/dialect/import/MeshSizes.h"

#include "spmd/dialect/sdy/Dialect.h"
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

class Unifier {
public:
  explicit Unifier(mlir::ModuleOp module) : module(module) {}

  LogicalResult run() {
    for (auto mesh : module.getOps<sdy::MeshOp>())
      if (!mesh.getMeshAttr().getMesh().axes().empty())
        meshes[mesh.getSymNameAttr()] = mesh;
    auto sizeOf = [](sdy::MeshOp mesh) { return mesh.getMeshAttr().getMesh().numDevices(); };
    bool differ = false;
    for (const auto &entry : meshes)
      differ |= sizeOf(entry.second) != sizeOf(meshes.begin()->second);
    if (!differ)
      return mlir::success();
    findUsed();
    for (mlir::StringAttr name : used)
      numDevices = std::max(numDevices, sizeOf(meshes[name]));
    bool ok = true;
    for (const auto &[name, mesh] : meshes)
      if (numDevices > 0 && sizeOf(mesh) != numDevices)
        ok &= mlir::succeeded(used.contains(name) ? grow(mesh) : drop(mesh));
    return mlir::success(ok);
  }

private:
  /// Calls `visit` with the meshes that an attribute of `op` names.
  template <typename Visit> void forEachMesh(mlir::Operation *op, Visit visit) {
    mlir::AttrTypeWalker walker;
    walker.addWalk([&](mlir::FlatSymbolRefAttr name) {
      if (meshes.count(name.getAttr()))
        visit(name.getAttr());
      return mlir::WalkResult::advance();
    });
    walker.walk(op->getAttrDictionary());
  }

  void findUsed() {
    llvm::DenseSet<mlir::Attribute> seen;
    forEachOp(module, [&](mlir::Operation *op) {
      if (op == module || !seen.insert(op->getAttrDictionary()).second)
        return;
      forEachMesh(op, [&](mlir::StringAttr name) { used.insert(name); });
    });
  }

  LogicalResult drop(sdy::MeshOp mesh) {
    mesh.erase();
    return mlir::success();
  }

  LogicalResult grow(sdy::MeshOp mesh) {
    const Mesh own = mesh.getMeshAttr().getMesh();
    absl::StatusOr<Mesh> grown = withIdleDevices(own, numDevices);
    bool ok = true;
    forEachOp(module, [&](mlir::Operation *op) {
      bool isOnMesh = false;
      forEachMesh(op, [&](mlir::StringAttr name) { isOnMesh |= name == mesh.getSymNameAttr(); });
      if (!isOnMesh || op == module)
        return;
      if (!grown.ok())
        ok &= mlir::succeeded(reportNotDividing(op, mesh, own));
      else if (auto manual = llvm::dyn_cast<sdy::ManualComputationOp>(op))
        ok &= mlir::succeeded(checkManual(manual, mesh, own));
    });
    if (!ok)
      return mlir::failure();
    mesh.setMeshAttr(sdy::MeshAttr::get(module.getContext(), *grown));
    mesh->removeDiscardableAttr("stablehlo.mesh"); // Says the same again.
    return mlir::success();
  }

  LogicalResult reportNotDividing(mlir::Operation *op, sdy::MeshOp mesh, const Mesh &own) {
    return op->emitOpError() << "has a sharding on mesh @" << mesh.getSymName() << " of "
                             << own.numDevices() << " devices, but the program has " << numDevices
                             << ", which is no multiple; values do not move between such meshes";
  }

  /// Groups of devices and numbers of devices would be those of the smaller mesh.
  LogicalResult checkManual(sdy::ManualComputationOp manual, sdy::MeshOp mesh, const Mesh &own) {
    auto isPlain = [](mlir::Operation *op) {
      return !op->hasTrait<stablehlo::Collective>() &&
             !llvm::isa<stablehlo::PartitionIdOp, stablehlo::ReplicaIdOp, mlir::func::CallOp>(op);
    };
    bool ok = true;
    manual->walk([&](mlir::Operation *op) {
      if (ok && !isPlain(op)) {
        mlir::InFlightDiagnostic diagnostic = manual.emitOpError()
                                              << "is on mesh @" << mesh.getSymName() << " of "
                                              << own.numDevices()
                                              << " devices, and communicates in a program of "
                                              << numDevices << "; give its mesh all devices";
        diagnostic.attachNote(op->getLoc()) << "communicates or calls a function here";
        ok = false;
      }
    });
    return mlir::success(ok);
  }

  mlir::ModuleOp module;
  llvm::MapVector<mlir::StringAttr, sdy::MeshOp> meshes; ///< Those with axes.
  llvm::SetVector<mlir::StringAttr> used;
  int64_t numDevices = 0;
};

} // namespace

mlir::LogicalResult unifyMeshSizes(mlir::ModuleOp module) { return Unifier(module).run(); }

} // namespace spmd
