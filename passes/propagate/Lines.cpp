#include "spmd/passes/propagate/Lines.h"

#include "spmd/dialect/partitioning/Partitionable.h"
#include "spmd/dialect/spmd/DataFlow.h"

namespace spmd {

sdy::ShardingAttr closed(sdy::ShardingAttr attr) {
  ShardingSpec spec = attr.getSpec();
  for (DimSpec &dim : spec.dims) {
    dim.open = false;
    dim.priority.reset();
  }
  return sdy::ShardingAttr::get(attr.getContext(), attr.getMeshOrRef(), spec);
}

std::string lineThatSplits(ShardingCodec &codec, mlir::Value value, const DimSplit &split,
                           SourceNames &names) {
  Sharding sharding = Sharding::replicatedOf(tensorTypeOf(value).getRank(), /*open=*/true);
  sharding.dims[split.dim] = {split.axes, /*open=*/false};
  return lineThatShards(value, codec.encode({split.mesh, sharding}), names);
}

/// Returns why no axis of `mesh` but the `manual` ones splits what has these sizes.
static std::string whyNoneSplits(const Mesh &mesh, const AxisList &manual,
                                 llvm::ArrayRef<int64_t> sizes) {
  std::optional<int> smallest;
  for (size_t a = 0; a < mesh.axes().size(); ++a)
    if (int64_t size = mesh.axes()[a].size;
        size > 1 && !overlaps(wholeAxis(mesh, static_cast<int>(a)), manual) &&
        (!smallest || size < mesh.axes()[*smallest].size))
      smallest = static_cast<int>(a);
  if (!smallest)
    return manual.empty() ? "no axis of the mesh has more than one position"
                          : "no axis of the mesh is left that is not manual here";
  const MeshAxis &axis = mesh.axes()[*smallest];
  return "its largest dim has size " + std::to_string(*llvm::max_element(sizes)) +
         ", and the smallest axis, \"" + axis.name + "\", " + std::to_string(axis.size) +
         " positions";
}

WholeLine lineThatKeepsWhole(ShardingCodec &codec, mlir::Value value, SourceNames &names) {
  mlir::RankedTensorType type = tensorTypeOf(value);
  int32_t mesh = codec.mainMesh();
  if (!type || type.getRank() == 0 || mesh < 0)
    return {};
  AxisList manual = manualAxesAt(codec.mesh(mesh), value);
  Sharding whole = Sharding::replicatedOf(type.getRank(), /*open=*/false);
  return {whyNoneSplits(codec.mesh(mesh), manual, type.getShape()),
          lineThatShards(value, codec.encode({mesh, whole}), names, "%whole")};
}

} // namespace spmd
