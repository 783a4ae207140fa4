#include "spmd/dialect/import/hlo/OpSharding.h"

#include "spmd/ir/sharding/Subset.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"

namespace spmd {

using Kind = TileSharding::Kind;

static std::vector<int64_t> copyOf(const google::protobuf::RepeatedField<int64_t> &field) {
  return {field.begin(), field.end()};
}

static AxisSpec axisOf(const hlo::MeshProto &mesh, const hlo::AxisRefProto &axis) {
  AxisSpec spec;
  int64_t index = axis.mesh_axis_index();
  if (index >= 0 && index < mesh.axes_size())
    spec.name = mesh.axes(index).name();
  else
    spec.name = "#" + std::to_string(index); // Reported as unknown when the text is read.
  if (axis.has_sub_axis_info()) {
    spec.preSize = axis.sub_axis_info().pre_size();
    spec.size = axis.sub_axis_info().size();
  }
  return spec;
}

std::vector<AxisSpec> axesOf(const hlo::MeshProto &mesh,
                             const google::protobuf::RepeatedPtrField<hlo::AxisRefProto> &axes) {
  std::vector<AxisSpec> specs;
  for (const hlo::AxisRefProto &axis : axes)
    specs.push_back(axisOf(mesh, axis));
  return specs;
}

Mesh meshOf(const hlo::MeshProto &proto) {
  std::vector<MeshAxis> axes;
  int64_t count = 1;
  for (const auto &axis : proto.axes()) {
    axes.push_back({axis.name(), axis.size()});
    count *= axis.size() > 0 && axis.size() < (1 << 20) ? axis.size() : 0;
  }
  std::vector<int64_t> ids = copyOf(proto.device_ids());
  const hlo::IotaTransformProto &iota = proto.iota_transform();
  if (iota.reshape_dims_size() > 1 && count > 0 && count <= (1 << 20)) {
    TileSharding grid;
    grid.kind = Kind::tiled;
    grid.tiles = {count};
    grid.reshape = copyOf(iota.reshape_dims());
    grid.permutation.assign(iota.transpose_perm().begin(), iota.transpose_perm().end());
    if (verify(grid).ok())
      ids = devicesOf(grid);
  }
  return Mesh::create(std::move(axes), std::move(ids)).value_or(Mesh());
}

/// Whether `axes`, which do not overlap, are all axes of `mesh`, whole ones.
static bool areAll(const hlo::MeshProto &mesh, const std::vector<AxisSpec> &axes) {
  return axes.size() == static_cast<size_t>(mesh.axes_size()) &&
         llvm::all_of(axes, [](const AxisSpec &axis) { return axis.size == 0; });
}

/// Whether a mesh is over some of the program's devices: its ids are not 0..N-1.
static bool isOverSome(const hlo::MeshProto &mesh) {
  return mesh.axes_size() > 0 &&
         llvm::any_of(mesh.device_ids(), [&](int64_t id) { return id >= mesh.device_ids_size(); });
}

static TileSharding namedOf(const hlo::NamedShardingProto &proto) {
  TileSharding sharding;
  if (isOverSome(proto.mesh())) {
    hlo::NamedShardingProto plain = proto;
    plain.mutable_mesh()->clear_device_ids();
    TileSharding named = namedOf(plain);
    return onDevices(named, copyOf(proto.mesh().device_ids())).value_or(named);
  }
  if (proto.tuple_shardings_size() > 0) {
    sharding.kind = Kind::tuple;
    for (const hlo::NamedShardingProto &element : proto.tuple_shardings())
      sharding.elements.push_back(namedOf(element));
    return sharding;
  }
  sharding.mesh = meshOf(proto.mesh());
  if (sharding.mesh.isEmpty())
    return sharding;
  if (sharding.mesh.isMaximal()) {
    sharding.kind = Kind::maximal;
    sharding.device = sharding.mesh.deviceIds().front();
    return sharding;
  }
  sharding.kind = Kind::named;
  for (const auto &dim : proto.dim_shardings())
    sharding.spec.dims.push_back({axesOf(proto.mesh(), dim.axes()), !dim.is_closed()});
  sharding.spec.replicated = axesOf(proto.mesh(), proto.replicated_axes());
  sharding.spec.unreduced = axesOf(proto.mesh(), proto.unreduced_axes());
  sharding.manualAxes = axesOf(proto.mesh(), proto.manual_axes());
  const std::vector<AxisSpec> &unreduced = sharding.spec.unreduced;
  bool isReplicated = unreduced.empty() && sharding.manualAxes.empty();
  bool isWhole = (unreduced.empty() && areAll(proto.mesh(), sharding.manualAxes)) ||
                 (sharding.manualAxes.empty() && areAll(proto.mesh(), unreduced));
  sharding.isForAnyRank = proto.dim_shardings_size() == 0 && (isReplicated || isWhole);
  constexpr ReductionKind kinds[] = {ReductionKind::sum, ReductionKind::max, ReductionKind::min};
  int op = proto.reduction_op();
  sharding.reduction = sharding.spec.kind = op > 0 && op < 3 ? kinds[op] : ReductionKind::sum;
  return sharding;
}

static TileSharding tiledOf(const hlo::OpSharding &proto) {
  TileSharding sharding;
  sharding.kind = Kind::tiled;
  sharding.tiles = copyOf(proto.tile_assignment_dimensions());
  sharding.devices = copyOf(proto.tile_assignment_devices());
  sharding.reshape = copyOf(proto.iota_reshape_dims());
  sharding.permutation.assign(proto.iota_transpose_perm().begin(),
                              proto.iota_transpose_perm().end());
  if (sharding.permutation.empty() && sharding.reshape.size() == 1)
    sharding.permutation = {0};
  for (int type : proto.last_tile_dims())
    sharding.subgroups.push_back(type == hlo::OpSharding::MANUAL      ? Subgroup::manual
                                 : type == hlo::OpSharding::UNREDUCED ? Subgroup::unreduced
                                                                      : Subgroup::replicated);
  if (proto.replicate_on_last_tile_dim())
    sharding.subgroups = {Subgroup::replicated};
  return sharding;
}

/// Returns how shares combine. HLO's verifier knows the names.
static ReductionKind reductionOf(const hlo::OpSharding &proto) {
  for (const hlo::OpMetadata &metadata : proto.metadata())
    if (metadata.op_type() == reductionMetadata)
      return reductionNamed(llvm::StringRef(metadata.op_name()).lower())
          .value_or(ReductionKind::sum);
  return ReductionKind::sum;
}

static TileSharding shardingOf(const hlo::OpSharding &proto) {
  if (proto.has_named_sharding())
    return namedOf(proto.named_sharding());
  TileSharding sharding;
  switch (proto.type()) {
  case hlo::OpSharding::OTHER:
    sharding = tiledOf(proto);
    break;
  case hlo::OpSharding::TUPLE:
    sharding.kind = Kind::tuple;
    for (const hlo::OpSharding &element : proto.tuple_shardings())
      sharding.elements.push_back(shardingOf(element));
    break;
  case hlo::OpSharding::MAXIMAL:
    sharding.kind = Kind::maximal;
    if (proto.tile_assignment_devices_size() > 0)
      sharding.device = proto.tile_assignment_devices(0);
    break;
  case hlo::OpSharding::MANUAL:
    sharding.kind = Kind::manual;
    break;
  case hlo::OpSharding::UNKNOWN:
    sharding.kind = Kind::unknown;
    break;
  case hlo::OpSharding::UNREDUCED:
    sharding.kind = Kind::unreduced;
    break;
  default:
    break;
  }
  sharding.reduction = reductionOf(proto);
  if (proto.is_shard_group())
    sharding.group = proto.shard_group_id();
  return sharding;
}

std::string textOf(const hlo::OpSharding &sharding) { return shardingOf(sharding).str(); }

} // namespace spmd
