// Shardings and groups of devices.

#include "spmd/ir/hlo/Hlo.h"
#include "spmd/ir/hlo/VerifyParts.h"

#include "absl/container/flat_hash_set.h"
#include "absl/strings/str_cat.h"

#include <algorithm>

namespace spmd::hlo {

/// Returns the product of sizes, each at least 1, or -1 if it is above mostDevices or one is
/// below 1.
template <typename List> static int64_t product(const List &sizes) {
  int64_t result = 1;
  for (int64_t size : sizes) {
    if (size < 1 || size > mostDevices / result)
      return -1;
    result *= size;
  }
  return result;
}

static Finding badProduct(const char *what) {
  return absl::StrCat("has ", what, " whose sizes are below 1 or make more than ", mostDevices,
                      " devices");
}

template <typename Dims, typename Permutation>
static Finding checkIota(const Dims &dims, const Permutation &permutation, int64_t count) {
  int64_t size = product(dims);
  if (size < 0)
    return badProduct("an iota of devices");
  if (size != count)
    return absl::StrCat("has an iota of ", size, " devices for ", count);
  std::vector<bool> seen(dims.size());
  bool good = permutation.size() == dims.size();
  for (int64_t dim : permutation) {
    good = good && dim >= 0 && dim < dims.size() && !seen[dim];
    if (!good)
      break;
    seen[dim] = true;
  }
  if (!good)
    return absl::StrCat("has an iota of devices whose order does not name each of its ",
                        dims.size(), " dims once");
  return {};
}

template <typename List> static Finding checkDevices(const List &devices, int64_t count) {
  if (devices.size() != count)
    return absl::StrCat("names ", devices.size(), " devices for ", count);
  absl::flat_hash_set<int64_t> seen;
  for (int64_t device : devices)
    if (device < 0 || !seen.insert(device).second)
      return absl::StrCat("names device ", device, device < 0 ? "" : " twice");
  return {};
}

//===- V3 -------------------------------------------------------------------===//

static Finding checkMesh(const MeshProto &mesh) {
  int64_t count = 1;
  for (const auto &axis : mesh.axes()) {
    if (axis.size() < 1 || axis.size() > mostDevices / count)
      return badProduct("a mesh");
    count *= axis.size();
  }
  if (!mesh.device_ids().empty())
    return checkDevices(mesh.device_ids(), count);
  if (mesh.has_iota_transform())
    return checkIota(mesh.iota_transform().reshape_dims(), mesh.iota_transform().transpose_perm(),
                     count);
  return {};
}

template <typename Axes> static Finding checkAxes(const Axes &axes, const MeshProto &mesh) {
  for (const AxisRefProto &axis : axes) {
    int64_t index = axis.mesh_axis_index();
    if (index < 0 || index >= mesh.axes_size())
      return absl::StrCat("names axis ", index, " of a mesh of ", mesh.axes_size());
    if (!axis.has_sub_axis_info())
      continue;
    int64_t pre = axis.sub_axis_info().pre_size(), size = axis.sub_axis_info().size();
    int64_t whole = mesh.axes(index).size();
    if (pre < 1 || size < 1 || whole % pre != 0 || (whole / pre) % size != 0)
      return absl::StrCat("names the sub-axis (", pre, ")", size, " of axis '",
                          mesh.axes(index).name(), "' of size ", whole);
  }
  return {};
}

static Finding checkNamed(const NamedShardingProto &named, const ShapeProto &shape) {
  if (Finding finding = checkMesh(named.mesh()))
    return finding;
  bool isArray = shape.element_type() != TUPLE && shape.element_type() != TOKEN;
  if (isArray && !named.dim_shardings().empty() &&
      named.dim_shardings_size() != shape.dimensions_size())
    return absl::StrCat("has the shardings of ", named.dim_shardings_size(), " dims, and ",
                        shape.dimensions_size(), " dims");
  for (const auto &dim : named.dim_shardings())
    if (Finding finding = checkAxes(dim.axes(), named.mesh()))
      return finding;
  for (const auto *axes : {&named.replicated_axes(), &named.unreduced_axes(), &named.manual_axes()})
    if (Finding finding = checkAxes(*axes, named.mesh()))
      return finding;
  return {};
}

//===- V1, V2 ---------------------------------------------------------------===//

static Finding checkTiles(const OpSharding &sharding, const ShapeProto &shape) {
  int64_t tiles = product(sharding.tile_assignment_dimensions());
  if (tiles < 0)
    return badProduct("tiles");
  int groups = sharding.replicate_on_last_tile_dim() + sharding.last_tile_dims_size();
  int rank = sharding.tile_assignment_dimensions_size() - groups;
  bool isArray = shape.element_type() != TUPLE && shape.element_type() != TOKEN;
  if (rank < 0 || (isArray && rank != shape.dimensions_size()))
    return absl::StrCat("has a sharding of ", rank, " dims, and ", shape.dimensions_size(),
                        " dims");
  if (sharding.iota_reshape_dims().empty())
    return checkDevices(sharding.tile_assignment_devices(), tiles);
  return checkIota(sharding.iota_reshape_dims(), sharding.iota_transpose_perm(), tiles);
}

static void appendLeaves(const ShapeProto &shape, std::vector<const ShapeProto *> &leaves) {
  if (shape.element_type() != TUPLE)
    leaves.push_back(&shape);
  for (const ShapeProto &part : shape.tuple_shapes())
    appendLeaves(part, leaves);
}

static Finding checkTuple(const OpSharding &sharding, const ShapeProto &shape) {
  std::vector<const ShapeProto *> leaves;
  appendLeaves(shape, leaves);
  int given = sharding.tuple_shardings_size();
  // An empty tuple may have one sharding all the same.
  bool emptyTuple = leaves.empty() && given <= 1;
  if (shape.element_type() != TUPLE || (!emptyTuple && given != static_cast<int>(leaves.size())))
    return absl::StrCat("has ", given, " shardings for ", leaves.size(),
                        shape.element_type() == TUPLE ? " parts" : " array");
  for (size_t i = 0; i < leaves.size(); ++i) {
    if (sharding.tuple_shardings(i).type() == OpSharding::TUPLE &&
        !sharding.tuple_shardings(i).has_named_sharding())
      return "has a tuple of shardings in another";
    if (Finding finding = checkSharding(sharding.tuple_shardings(i), *leaves[i]))
      return finding;
  }
  return {};
}

/// Metadata of one type says how the shares of an unreduced value combine.
static Finding checkReduction(const OpSharding &sharding) {
  static constexpr std::string_view names[] = {"SUM", "MAX", "MIN", "PRODUCT", "AND", "OR", "XOR"};
  for (const OpMetadata &metadata : sharding.metadata())
    if (metadata.op_type() == reductionMetadata &&
        std::find(std::begin(names), std::end(names), metadata.op_name()) == std::end(names))
      return absl::StrCat("has a sharding unreduced by '", metadata.op_name(),
                          "'; write SUM, MAX or MIN");
  return {};
}

Finding checkSharding(const OpSharding &sharding, const ShapeProto &shape) {
  if (sharding.has_named_sharding())
    return checkNamed(sharding.named_sharding(), shape);
  if (Finding finding = checkReduction(sharding))
    return finding;
  switch (sharding.type()) {
  case OpSharding::OTHER:
    return checkTiles(sharding, shape);
  case OpSharding::TUPLE:
    return checkTuple(sharding, shape);
  case OpSharding::MAXIMAL:
    return checkDevices(sharding.tile_assignment_devices(), 1);
  case OpSharding::REPLICATED:
  case OpSharding::MANUAL:
  case OpSharding::UNKNOWN:
  case OpSharding::UNREDUCED:
    return {};
  default:
    return absl::StrCat("has a sharding of the unknown type ", static_cast<int>(sharding.type()));
  }
}

//===- Groups ---------------------------------------------------------------===//

template <typename Groups> static Finding checkGroupList(const Groups &groups) {
  absl::flat_hash_set<int64_t> seen;
  for (const ReplicaGroup &group : groups)
    for (int64_t device : group.replica_ids())
      if (device < 0 || !seen.insert(device).second)
        return absl::StrCat("names device ", device, device < 0 ? "" : " twice", " in its groups");
  return {};
}

static Finding checkIotaGroups(const IotaReplicaGroupListProto &groups) {
  int64_t sizes[] = {groups.num_replica_groups(), groups.num_devices_per_group()};
  int64_t count = product(sizes);
  if (count < 0)
    return badProduct("groups");
  return checkIota(groups.iota_reshape_dims(), groups.iota_transpose_perm(), count);
}

Finding checkGroups(const HloInstructionProto &instruction) {
  if (instruction.has_mesh_axes_replica_group_list()) {
    const auto &groups = instruction.mesh_axes_replica_group_list();
    Finding finding = checkMesh(groups.mesh());
    return finding ? finding : checkAxes(groups.axes(), groups.mesh());
  }
  if (instruction.has_iota_collective_device_list())
    return checkIotaGroups(instruction.iota_collective_device_list());
  if (instruction.collective_device_list().has_iota_replica_group_list())
    return checkIotaGroups(instruction.collective_device_list().iota_replica_group_list());
  if (instruction.has_collective_device_list())
    return checkGroupList(instruction.collective_device_list().replica_groups());
  return checkGroupList(instruction.replica_groups());
}

} // namespace spmd::hlo
