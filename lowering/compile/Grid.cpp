#include "spmd/lowering/compile/Grid.h"

#include "spmd/dialect/groups/Groups.h"
#include "spmd/dialect/stablehlo/Dialect.h"

namespace spmd {

namespace {
/// What the numbers in groups stand for.
enum class Members { replicas, partitions, replicasOfAllPartitions, devices };
} // namespace

static Members membersOf(mlir::Operation *op, const Grid &grid) {
  if (!grid.byChannel)
    return Members::devices;
  auto channel = op->getAttrOfType<stablehlo::ChannelHandleAttr>("channel_handle");
  if (!channel || channel.getHandle() <= 0)
    return Members::replicas;
  bool amongReplicas = llvm::isa<stablehlo::AllGatherOp, stablehlo::AllReduceOp,
                                 stablehlo::ReduceScatterOp, stablehlo::CollectiveReduceOp>(op);
  if (!amongReplicas)
    return Members::partitions;
  return op->hasAttr("use_global_device_ids") ? Members::devices : Members::replicasOfAllPartitions;
}

mlir::FailureOr<ReplicaGroups> groupsOf(mlir::Operation *op, mlir::Attribute attr,
                                        const Grid &grid) {
  bool namesAxes = llvm::isa<stablehlo::ReplicaGroupMeshAxesAttr>(attr);
  Members members = namesAxes ? Members::devices : membersOf(op, grid);
  int64_t numMembers = members == Members::devices      ? grid.numDevices()
                       : members == Members::partitions ? grid.numPartitions
                                                        : grid.numReplicas;
  bool mayMiss = llvm::isa<stablehlo::CollectiveBroadcastOp, stablehlo::CollectiveReduceOp>(op);
  mlir::FailureOr<ReplicaGroups> groups = expandGroups(op, attr, numMembers, !mayMiss);
  if (mlir::failed(groups) || members == Members::devices)
    return groups;
  ReplicaGroups devices;
  auto deviceOf = [&](int64_t replica, int64_t partition) {
    return replica * grid.numPartitions + partition;
  };
  for (const std::vector<int64_t> &group : *groups) {
    if (members == Members::replicasOfAllPartitions)
      devices.emplace_back();
    for (int64_t other = 0;
         other < (members == Members::partitions ? grid.numReplicas : grid.numPartitions);
         ++other) {
      if (members != Members::replicasOfAllPartitions)
        devices.emplace_back();
      for (int64_t member : group)
        devices.back().push_back(members == Members::partitions ? deviceOf(other, member)
                                                                : deviceOf(member, other));
    }
  }
  return devices;
}

std::vector<int64_t> devicePairs(mlir::Operation *op, llvm::ArrayRef<int64_t> pairs,
                                 const Grid &grid) {
  Members members = membersOf(op, grid);
  if (members == Members::devices)
    return {pairs.begin(), pairs.end()};
  std::vector<int64_t> devices;
  bool isPartition = members == Members::partitions;
  for (int64_t other = 0; other < (isPartition ? grid.numReplicas : grid.numPartitions); ++other)
    for (int64_t member : pairs)
      devices.push_back(isPartition ? other * grid.numPartitions + member
                                    : member * grid.numPartitions + other);
  return devices;
}

} // namespace spmd
