// How collectives write their groups and channels.

#include "spmd/dialect/groups/Groups.h"
#include "spmd/dialect/stablehlo/Dialect.h"
#include "spmd/passes/optimize/Optimize.h"

#include <utility>

namespace spmd {

using namespace stablehlo;

/// Returns `groups` as a table; rows that are shorter than the longest end in -1.
static mlir::DenseIntElementsAttr tableOf(mlir::MLIRContext *context,
                                          const std::vector<std::vector<int64_t>> &groups) {
  size_t width = 0;
  for (const std::vector<int64_t> &group : groups)
    width = std::max(width, group.size());
  llvm::SmallVector<int64_t> flat;
  for (const std::vector<int64_t> &group : groups) {
    llvm::append_range(flat, group);
    flat.append(width - group.size(), -1);
  }
  auto type = mlir::RankedTensorType::get(
      {static_cast<int64_t>(groups.size()), static_cast<int64_t>(width)},
      mlir::IntegerType::get(context, 64));
  return mlir::DenseIntElementsAttr::get(type, flat);
}

/// Groups of `op` that list several numbers, of which there are no replicas, list devices; a
/// program may have written them so without a channel. Says so, where `op` can.
static void countDevices(mlir::Operation *op, mlir::Attribute groups, mlir::StringAttr globalName) {
  auto listed = llvm::dyn_cast_or_null<mlir::DenseIntElementsAttr>(groups);
  if (listed && listed.getNumElements() > 1 &&
      llvm::is_contained(op->getName().getAttributeNames(), globalName))
    op->setAttr(globalName, mlir::UnitAttr::get(op->getContext()));
}

/// Whether the groups of `op` list replicas: with a channel they would list something else.
static bool isAmongReplicas(mlir::Operation *op, llvm::StringRef channelName) {
  auto channel = op->getAttrOfType<ChannelHandleAttr>(channelName);
  return !channel || channel.getHandle() <= 0;
}

/// A table of so many devices takes 32 MiB, and its text some more.
static constexpr int64_t mostListed = 1 << 22;

mlir::LogicalResult writeGroups(const ModuleCollectives &found, GroupForm form) {
  mlir::MLIRContext *context = found.getModule().getContext();
  auto numbered = [&](llvm::StringRef name) {
    auto count = found.getModule()->getAttrOfType<mlir::IntegerAttr>(name);
    return count ? count.getInt() : 1;
  };
  llvm::DenseMap<mlir::Attribute, mlir::Attribute> tables;
  int64_t numDevices = numbered("mhlo.num_partitions");
  bool hasReplicas = numbered("mhlo.num_replicas") > 1;
  int64_t channel = 0;
  bool failed = false;
  auto channelName = mlir::StringAttr::get(context, "channel_handle"),
       groupsName = mlir::StringAttr::get(context, "replica_groups"),
       globalName = mlir::StringAttr::get(context, "use_global_device_ids");
  for (mlir::Operation *op : found.all()) {
    if (!op || !op->hasTrait<stablehlo::Collective>() ||
        !llvm::is_contained(op->getName().getAttributeNames(), channelName))
      continue;
    if (hasReplicas && isAmongReplicas(op, channelName))
      continue;
    do
      ++channel;
    while (found.channelsOfOthers().contains(channel));
    op->setAttr(channelName, ChannelHandleAttr::get(context, channel, /*type=*/1));
    if (!hasReplicas)
      countDevices(op, op->getAttr(groupsName), globalName);
    if (form != GroupForm::dense)
      continue;
    auto groups = op->getAttrOfType<ReplicaGroupMeshAxesAttr>(groupsName);
    if (!groups)
      continue;
    if (numDevices > mostListed) {
      if (!std::exchange(failed, true))
        op->emitOpError() << "is in groups of " << numDevices
                          << " devices, of which groups=dense lists each, and at most "
                          << mostListed << "; use groups=mesh-axes";
      continue;
    }
    mlir::Attribute &table = tables[groups];
    if (!table) {
      mlir::FailureOr<std::vector<std::vector<int64_t>>> expanded =
          expandGroups(op, groups, numDevices);
      failed |= mlir::failed(expanded);
      if (mlir::failed(expanded))
        continue;
      table = tableOf(context, *expanded);
    }
    op->setAttr(groupsName, table);
  }
  return mlir::failure(failed);
}

} // namespace spmd
