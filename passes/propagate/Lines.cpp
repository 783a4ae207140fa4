#include "spmd/passes/propagate/Lines.h"

#include "spmd/dialect/partitioning/Partitionable.h"
#include "spmd/dialect/spmd/DataFlow.h"

namespace spmd {

AxisList axisToSplit(const Mesh &mesh, absl::Span<const AxisRef> used, int64_t size) {
  AxisList found;
  for (size_t a = 0; a < mesh.axes().size(); ++a) {
    AxisRef axis = wholeAxis(mesh, static_cast<int>(a));
    if (axis.size == 1 || axis.size > size || overlaps(axis, used))
      continue;
    if (size % axis.size == 0)
      return {axis};
    if (found.empty())
      found = {axis};
  }
  return found;
}

sdy::ShardingAttr closed(sdy::ShardingAttr attr) {
  ShardingSpec spec = attr.getSpec();
  for (DimSpec &dim : spec.dims) {
    dim.open = false;
    dim.priority.reset();
  }
  return sdy::ShardingAttr::get(attr.getContext(), attr.getMeshOrRef(), spec);
}

/// The axes of `mesh` that are manual where `value` is: it is a part along them already.
static AxisList manualAxesAt(const Mesh &mesh, mlir::Value value) {
  mlir::Operation *around = value.getParentBlock()->getParentOp();
  AxisList manual;
  for (llvm::StringRef name : manualAxesInside(around))
    if (std::optional<int> axis = mesh.axisNamed({name.data(), name.size()}))
      manual.push_back(wholeAxis(mesh, *axis));
  return manual;
}

std::string lineThatSplits(ShardingCodec &codec, mlir::Value value, SourceNames &names) {
  mlir::RankedTensorType type = tensorTypeOf(value);
  int32_t mesh = codec.mainMesh();
  if (!type || mesh < 0)
    return "";
  int64_t chosen = -1;
  AxisList axes, manual = manualAxesAt(codec.mesh(mesh), value);
  for (int64_t d = 0; d < type.getRank(); ++d) {
    AxisList axis = axisToSplit(codec.mesh(mesh), manual, type.getDimSize(d));
    bool divides = !axis.empty() && type.getDimSize(d) % sizeOf(axis) == 0;
    if (axis.empty() || (chosen >= 0 && !divides))
      continue;
    chosen = d;
    axes = axis;
    if (divides)
      break;
  }
  if (chosen < 0)
    return "";
  Sharding sharding = Sharding::replicatedOf(type.getRank(), /*open=*/true);
  sharding.dims[chosen] = {axes, /*open=*/false};
  return lineThatShards(value, codec.encode({mesh, sharding}), names);
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
