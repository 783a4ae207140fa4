// Ops that compute nothing, and say how their one tensor lies.
#pragma once

#include "spmd/dialect/partitioning/Partitionable.h"
#include "spmd/dialect/spmd/ValueSharding.h"

namespace spmd {

/// Whether `op` does nothing but pin its one result: a constraint, or a reshard of the user.
inline bool pinsOneResult(mlir::Operation *op) {
  return placesValue(op) && shardingOf(op->getResult(0)).state == ShardingState::pinned;
}

} // namespace spmd
