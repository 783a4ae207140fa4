// Shardings and groups of devices: messages to text.

#include "spmd/ir/hlo/Hlo.h"
#include "spmd/ir/hlo/text/FieldText.h"
#include "spmd/ir/hlo/text/ShardingText.h"

#include "absl/strings/str_cat.h"

#include <algorithm>

namespace spmd::hlo {

using AxisList = google::protobuf::RepeatedPtrField<AxisRefProto>;

/// Appends `1,2,3` between two brackets.
template <typename List>
static void printList(char open, const List &list, char close, std::string &text) {
  text += open;
  for (int i = 0; i < list.size(); ++i) {
    if (i)
      text += ',';
    printInteger(list[i], text);
  }
  text += close;
}

/// Appends `[4,2]T(1,0)`; the order is left out where there is one dim.
template <typename Dims, typename Permutation>
static void printIota(const Dims &dims, const Permutation &permutation, std::string &text) {
  printList('[', dims, ']', text);
  if (dims.size() == 1)
    return;
  text += 'T';
  printList('(', permutation, ')', text);
}

//===- Meshes and axes ------------------------------------------------------===//

void printMesh(const MeshProto &mesh, std::string &text) {
  text += "mesh[";
  for (int i = 0; i < mesh.axes_size(); ++i)
    absl::StrAppend(&text, i ? "," : "", "'", mesh.axes(i).name(), "'=", mesh.axes(i).size());
  text += ']';
  if (!mesh.device_ids().empty()) {
    text += ", device_ids=";
    printList('(', mesh.device_ids(), ')', text);
  } else if (mesh.has_iota_transform()) {
    text += ", device_ids=(";
    printIota(mesh.iota_transform().reshape_dims(), mesh.iota_transform().transpose_perm(), text);
    text += ')';
  }
}

static void printAxis(const AxisRefProto &axis, const MeshProto &mesh, std::string &text) {
  int64_t index = axis.mesh_axis_index();
  if (index >= 0 && index < mesh.axes_size())
    absl::StrAppend(&text, "'", mesh.axes(index).name(), "'");
  else
    printInteger(index, text);
  if (axis.has_sub_axis_info())
    absl::StrAppend(&text, ":(", axis.sub_axis_info().pre_size(), ")", axis.sub_axis_info().size());
}

void printAxes(const AxisList &axes, const MeshProto &mesh, std::string &text) {
  text += '{';
  for (int i = 0; i < axes.size(); ++i) {
    text += i ? "," : "";
    printAxis(axes[i], mesh, text);
  }
  text += '}';
}

//===- V3 -------------------------------------------------------------------===//

using MetadataList = google::protobuf::RepeatedPtrField<OpMetadata>;

static void printMetadata(const MetadataList &metadata, const char *separator, std::string &text) {
  if (metadata.empty())
    return;
  absl::StrAppend(&text, separator, "metadata=", metadata.size() > 1 ? "{" : "");
  for (int i = 0; i < metadata.size(); ++i) {
    text += i ? ", " : "";
    printFields(metadata[i], text);
  }
  text += metadata.size() > 1 ? "}" : "";
}

static void printDimSharding(const NamedShardingProto::DimensionSharding &dim,
                             const MeshProto &mesh, std::string &text) {
  printAxes(dim.axes(), mesh, text);
  if (dim.is_closed())
    return;
  text.pop_back();
  text += dim.axes().empty() ? "?}" : ",?}";
}

static void printAxesItem(const char *key, const AxisList &axes, const MeshProto &mesh,
                          std::string &text) {
  if (axes.empty())
    return;
  text += key;
  printAxes(axes, mesh, text);
}

/// Whether `axes` are all axes of `mesh`, whole ones.
static bool areAll(const AxisList &axes, const MeshProto &mesh) {
  for (int i = 0; i < axes.size(); ++i)
    if (axes[i].mesh_axis_index() != i || axes[i].has_sub_axis_info())
      return false;
  return axes.size() == mesh.axes_size() && !axes.empty();
}

/// Appends what is said where no dim has a sharding. Returns whether that is all: a word alone
/// speaks of all axes, for tensors of any rank. Axes need the dims before them, here none.
static bool printWithoutDims(const NamedShardingProto &named, std::string &text) {
  const AxisList &manual = named.manual_axes(), &unreduced = named.unreduced_axes();
  if (named.replicated_axes().empty()) {
    if (manual.empty() && unreduced.empty())
      return text += named.mesh().axes().empty() ? "" : ", replicated", true;
    if (unreduced.empty() && areAll(manual, named.mesh()))
      return text += ", manual", true;
    static constexpr const char *words[] = {", unreduced", ", unreduced=max", ", unreduced=min"};
    if (manual.empty() && areAll(unreduced, named.mesh()))
      return text += words[std::clamp<int>(named.reduction_op(), 0, 2)], true;
  }
  text += ", []";
  return false;
}

static void printAxesOf(const NamedShardingProto &named, std::string &text) {
  const MeshProto &mesh = named.mesh();
  printAxesItem(", replicated=", named.replicated_axes(), mesh, text);
  static constexpr const char *unreduced[] = {", unreduced=", ", unreduced=max", ", unreduced=min"};
  printAxesItem(unreduced[std::clamp<int>(named.reduction_op(), 0, 2)], named.unreduced_axes(),
                mesh, text);
  printAxesItem(", manual=", named.manual_axes(), mesh, text);
}

static void printNamed(const NamedShardingProto &named, bool metadata, std::string &text) {
  const MeshProto &mesh = named.mesh();
  if (mesh.axes().empty() && mesh.device_ids_size() == 1) {
    absl::StrAppend(&text, "maximal_mesh[device_id=", mesh.device_ids(0), "]");
  } else {
    printMesh(mesh, text);
    bool isAll = false;
    if (named.dim_shardings().empty()) {
      isAll = printWithoutDims(named, text);
    } else {
      text += ", [";
      for (int i = 0; i < named.dim_shardings_size(); ++i) {
        text += i ? ", " : "";
        printDimSharding(named.dim_shardings(i), mesh, text);
      }
      text += ']';
    }
    if (!isAll)
      printAxesOf(named, text);
  }
  if (metadata)
    printMetadata(named.metadata(), ", ", text);
}

//===- V1, V2 ---------------------------------------------------------------===//

static const char *nameOf(int type) {
  switch (type) {
  case OpSharding::REPLICATED:
    return "replicated";
  case OpSharding::MANUAL:
    return "manual";
  case OpSharding::UNREDUCED:
    return "unreduced";
  default:
    return "unknown";
  }
}

static void printTiles(const OpSharding &sharding, std::string &text) {
  text += "devices=";
  printList('[', sharding.tile_assignment_dimensions(), ']', text);
  if (!sharding.iota_reshape_dims().empty()) {
    text += "<=";
    printIota(sharding.iota_reshape_dims(), sharding.iota_transpose_perm(), text);
  } else {
    for (int i = 0; i < sharding.tile_assignment_devices_size(); ++i) {
      text += i ? "," : "";
      printInteger(sharding.tile_assignment_devices(i), text);
    }
  }
  if (sharding.replicate_on_last_tile_dim())
    text += " last_tile_dim_replicate";
  if (sharding.last_tile_dims().empty())
    return;
  text += " last_tile_dims={";
  for (int i = 0; i < sharding.last_tile_dims_size(); ++i)
    absl::StrAppend(&text, i ? ", " : "", nameOf(sharding.last_tile_dims(i)));
  text += '}';
}

/// Returns the metadata without which the sharding would mean something else.
static MetadataList meaningful(const MetadataList &metadata) {
  MetadataList kept;
  for (const OpMetadata &each : metadata)
    if (each.op_type() == reductionMetadata)
      *kept.Add() = each;
  return kept;
}

static void printLeaf(const OpSharding &sharding, std::string &text) {
  if (sharding.type() == OpSharding::OTHER)
    return printTiles(sharding, text);
  if (sharding.type() != OpSharding::MAXIMAL) {
    text += nameOf(sharding.type());
    return;
  }
  text += "maximal";
  if (!sharding.tile_assignment_devices().empty())
    absl::StrAppend(&text, " device=", sharding.tile_assignment_devices(0));
}

static void printTuple(const OpSharding &sharding, bool metadata, std::string &text) {
  for (int i = 0; i < sharding.tuple_shardings_size(); ++i) {
    text += i ? ", " : "";
    if (i && i % 5 == 0)
      absl::StrAppend(&text, "/*index=", i, "*/");
    printSharding(sharding.tuple_shardings(i), metadata, text);
  }
}

void printSharding(const OpSharding &sharding, bool metadata, std::string &text) {
  text += '{';
  if (sharding.has_named_sharding()) {
    printNamed(sharding.named_sharding(), metadata, text);
  } else if (sharding.type() == OpSharding::TUPLE) {
    printTuple(sharding, metadata, text);
  } else {
    printLeaf(sharding, text);
    if (sharding.is_shard_group())
      absl::StrAppend(
          &text, sharding.shard_group_type() == OpSharding::LIKE ? " shard_like " : " shard_as ",
          sharding.shard_group_id());
    printMetadata(metadata ? sharding.metadata() : meaningful(sharding.metadata()), " ", text);
  }
  text += '}';
}

//===- Groups ---------------------------------------------------------------===//

bool hasReplicaGroups(const HloInstructionProto &instruction) {
  return instruction.has_collective_device_list() ||
         instruction.has_iota_collective_device_list() ||
         instruction.has_mesh_axes_replica_group_list() || !instruction.replica_groups().empty();
}

static void printIotaGroups(const IotaReplicaGroupListProto &groups, std::string &text) {
  absl::StrAppend(&text, "[", groups.num_replica_groups(), ",", groups.num_devices_per_group(),
                  "]<=");
  printIota(groups.iota_reshape_dims(), groups.iota_transpose_perm(), text);
}

static void printGroupList(const google::protobuf::RepeatedPtrField<ReplicaGroup> &groups,
                           std::string &text) {
  text += '{';
  for (int i = 0; i < groups.size(); ++i) {
    text += i ? "," : "";
    printList('{', groups[i].replica_ids(), '}', text);
  }
  text += '}';
}

void printReplicaGroups(const HloInstructionProto &instruction, std::string &text) {
  if (instruction.has_mesh_axes_replica_group_list()) {
    const auto &groups = instruction.mesh_axes_replica_group_list();
    printMesh(groups.mesh(), text);
    text += ' ';
    return printAxes(groups.axes(), groups.mesh(), text);
  }
  if (instruction.has_iota_collective_device_list())
    return printIotaGroups(instruction.iota_collective_device_list(), text);
  if (!instruction.has_collective_device_list())
    return printGroupList(instruction.replica_groups(), text);
  const CollectiveDeviceListProto &list = instruction.collective_device_list();
  if (list.has_iota_replica_group_list())
    printIotaGroups(list.iota_replica_group_list(), text);
  else
    printGroupList(list.replica_groups(), text);
}

} // namespace spmd::hlo
