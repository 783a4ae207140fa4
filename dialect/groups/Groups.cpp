#include "spmd/dialect/groups/Groups.h"

#include "spmd/dialect/sdy/Dialect.h"
#include "spmd/dialect/stablehlo/Dialect.h"
#include "spmd/ir/sharding/Layout.h"

#include <numeric>

namespace spmd {

using ReplicaGroups = std::vector<std::vector<int64_t>>;

static mlir::FailureOr<Mesh> meshOf(mlir::Operation *op, mlir::Attribute attr) {
  if (auto symbol = llvm::dyn_cast<mlir::FlatSymbolRefAttr>(attr)) {
    if (sdy::MeshOp mesh = sdy::lookupMeshOp(op, symbol.getValue()))
      return mesh.getMesh().getMesh();
    return op->emitOpError() << "names the mesh @" << symbol.getValue()
                             << ", which the module does not have";
  }
  auto inlined = llvm::cast<stablehlo::MeshAttr>(attr);
  std::vector<MeshAxis> axes;
  for (stablehlo::MeshAxisAttr axis : inlined.getAxes())
    axes.push_back({axis.getName().str(), axis.getSize()});
  std::vector<int64_t> ids;
  if (inlined.getDeviceIds())
    llvm::append_range(ids, inlined.getDeviceIds().getValues<int64_t>());
  absl::StatusOr<Mesh> mesh = Mesh::create(std::move(axes), std::move(ids));
  if (!mesh.ok())
    return op->emitOpError() << std::string(mesh.status().message());
  return *std::move(mesh);
}

static mlir::FailureOr<AxisList> axesOf(mlir::Operation *op, const Mesh &mesh,
                                        stablehlo::ReplicaGroupMeshAxesAttr groups) {
  AxisList axes;
  for (stablehlo::AxisRefAttr ref : groups.getAxes()) {
    AxisSpec spec{ref.getName().str()};
    if (stablehlo::SubAxisInfoAttr part = ref.getSubAxisInfo())
      spec = {spec.name, part.getPreSize(), part.getSize()};
    absl::StatusOr<AxisRef> axis = resolve(mesh, spec);
    if (!axis.ok())
      return op->emitOpError() << std::string(axis.status().message());
    axes.push_back(*axis);
  }
  return axes;
}

static mlir::FailureOr<ReplicaGroups> expandAxes(mlir::Operation *op,
                                                 stablehlo::ReplicaGroupMeshAxesAttr groups) {
  mlir::FailureOr<Mesh> mesh = meshOf(op, groups.getMesh());
  if (mlir::failed(mesh))
    return mlir::failure();
  mlir::FailureOr<AxisList> axes = axesOf(op, *mesh, groups);
  if (mlir::failed(axes))
    return mlir::failure();
  return deviceGroups(*mesh, *axes);
}

static ReplicaGroups expandTable(mlir::DenseIntElementsAttr table) {
  auto type = llvm::cast<mlir::RankedTensorType>(table.getType());
  ReplicaGroups groups(type.getDimSize(0));
  int64_t at = 0;
  for (int64_t device : table.getValues<int64_t>()) {
    if (device >= 0) // -1 fills short rows.
      groups[at / type.getDimSize(1)].push_back(device);
    ++at;
  }
  return groups;
}

mlir::FailureOr<ReplicaGroups> expandGroups(mlir::Operation *op, mlir::Attribute attr,
                                            int64_t numDevices, bool mustCover) {
  mlir::FailureOr<ReplicaGroups> groups = ReplicaGroups();
  if (auto axes = llvm::dyn_cast<stablehlo::ReplicaGroupMeshAxesAttr>(attr))
    groups = expandAxes(op, axes);
  else if (auto table = llvm::dyn_cast<mlir::DenseIntElementsAttr>(attr))
    groups = expandTable(table);
  if (mlir::failed(groups))
    return mlir::failure();
  if (groups->empty()) { // All devices together.
    groups->emplace_back(numDevices);
    std::iota(groups->front().begin(), groups->front().end(), 0);
  }
  std::vector<int> count(numDevices, 0);
  for (const std::vector<int64_t> &group : *groups)
    for (int64_t device : group) {
      if (device < 0 || device >= numDevices)
        return op->emitOpError() << "has device " << device << " in its replica groups; there are "
                                 << numDevices << " devices";
      if (++count[device] == 2)
        return op->emitOpError() << "has device " << device << " in two replica groups";
    }
  for (int64_t device = 0; mustCover && device < numDevices; ++device)
    if (count[device] == 0)
      return op->emitOpError() << "has replica groups that do not cover the " << numDevices
                               << " devices; device " << device << " is in none";
  return groups;
}

mlir::LogicalResult checkGroups(mlir::Operation *op, mlir::Attribute attr, int64_t numDevices) {
  auto groups = llvm::dyn_cast<stablehlo::ReplicaGroupMeshAxesAttr>(attr);
  if (!groups)
    return expandGroups(op, attr, numDevices);
  mlir::FailureOr<Mesh> mesh = meshOf(op, groups.getMesh());
  if (mlir::failed(mesh))
    return mlir::failure();
  if (mesh->numDevices() != numDevices)
    return op->emitOpError() << "has groups on a mesh of " << mesh->numDevices()
                             << " devices; there are " << numDevices << " devices";
  mlir::FailureOr<AxisList> axes = axesOf(op, *mesh, groups);
  if (mlir::failed(axes))
    return mlir::failure();
  for (size_t i = 0; i < axes->size(); ++i)
    for (size_t j = 0; j < i; ++j)
      if (overlaps((*axes)[i], (*axes)[j]))
        return op->emitOpError() << "has the axis " << groups.getAxes()[i].getName()
                                 << " twice in its replica groups";
  return mlir::success();
}

} // namespace spmd
