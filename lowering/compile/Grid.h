// The devices that a function is compiled for, and what replica groups mean on them.
#pragma once

#include "spmd/lowering/program/DeviceProgram.h"

#include "mlir/IR/Operation.h"

namespace spmd {

/// Devices in rows of partitions, a row for each replica.
struct Grid {
  int64_t numReplicas = 1, numPartitions = 1;
  /// Groups are read as the specification says, by channel and flag. Else, and where groups name
  /// mesh axes, their numbers are those of devices, whatever the channel.
  bool byChannel = false;

  int64_t numDevices() const { return numReplicas * numPartitions; }
};

/// Returns the groups of devices that collective `op` with the groups `attr` runs in. Fails after a
/// diagnostic if they name a device that does not exist, or one twice.
mlir::FailureOr<ReplicaGroups> groupsOf(mlir::Operation *op, mlir::Attribute attr,
                                        const Grid &grid);

/// Returns pairs of sources and targets, given as partitions or replicas, as pairs of devices.
std::vector<int64_t> devicePairs(mlir::Operation *op, llvm::ArrayRef<int64_t> pairs,
                                 const Grid &grid);

} // namespace spmd
