#include "spmd/dialect/import/hlo/Groups.h"

#include "spmd/dialect/import/hlo/OpSharding.h"
#include "spmd/ir/sharding/Layout.h"
#include "spmd/ir/sharding/TileSharding.h"

namespace spmd {

/// More devices are not listed one by one.
static constexpr int64_t mostListed = 1 << 20;

/// One row a group; shorter groups are filled up with -1.
template <typename Groups> static std::optional<GroupTable> listed(const Groups &groups) {
  GroupTable table{groups.size(), 0, {}};
  for (const hlo::ReplicaGroup &group : groups)
    table.columns = std::max<int64_t>(table.columns, group.replica_ids_size());
  if (table.rows > 0 && table.columns > mostListed / table.rows)
    return std::nullopt;
  for (const hlo::ReplicaGroup &group : groups) {
    table.ids.append(group.replica_ids().begin(), group.replica_ids().end());
    table.ids.append(table.columns - group.replica_ids_size(), -1);
  }
  return table;
}

/// Reads 0 .. N-1 as a transposed grid.
static std::optional<GroupTable> grid(const hlo::IotaReplicaGroupListProto &list) {
  int64_t rows = list.num_replica_groups(), columns = list.num_devices_per_group();
  if (rows <= 0 || columns <= 0 || columns > mostListed / rows)
    return std::nullopt;
  TileSharding tiles;
  tiles.kind = TileSharding::Kind::tiled;
  tiles.tiles = {rows, columns};
  tiles.reshape.assign(list.iota_reshape_dims().begin(), list.iota_reshape_dims().end());
  tiles.permutation.assign(list.iota_transpose_perm().begin(), list.iota_transpose_perm().end());
  for (size_t dim = 0; tiles.permutation.empty() && dim < tiles.reshape.size(); ++dim)
    tiles.permutation.push_back(static_cast<int>(dim));
  if (!verify(tiles).ok())
    return std::nullopt;
  std::vector<int64_t> ids = devicesOf(tiles);
  return GroupTable{rows, columns, {ids.begin(), ids.end()}};
}

/// Devices that differ only along the axes form a group.
static std::optional<GroupTable> alongAxes(const hlo::MeshAxesReplicaGroupListProto &list) {
  Mesh mesh = meshOf(list.mesh());
  if (mesh.axes().empty() || mesh.numDevices() > mostListed)
    return std::nullopt;
  absl::StatusOr<AxisList> axes = resolve(mesh, axesOf(list.mesh(), list.axes()));
  if (!axes.ok())
    return std::nullopt;
  Sharding alongAll = Sharding::replicatedOf(1);
  alongAll.dims[0].axes = *axes;
  if (!verify(mesh, alongAll, {mesh.numDevices()}).ok())
    return std::nullopt;
  std::vector<std::vector<int64_t>> groups = deviceGroups(mesh, *axes);
  GroupTable table{static_cast<int64_t>(groups.size()), sizeOf(*axes), {}};
  for (const std::vector<int64_t> &group : groups)
    table.ids.append(group.begin(), group.end());
  return table;
}

std::optional<GroupTable> groupsOf(const hlo::HloInstructionProto &instruction) {
  if (instruction.has_mesh_axes_replica_group_list())
    return alongAxes(instruction.mesh_axes_replica_group_list());
  if (instruction.has_collective_device_list())
    return listed(instruction.collective_device_list().replica_groups());
  if (instruction.has_iota_collective_device_list())
    return grid(instruction.iota_collective_device_list());
  return listed(instruction.replica_groups());
}

} // namespace spmd
