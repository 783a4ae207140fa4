// Work on single elements: what runs on any shards alike, so that it may lie as suits what is
// around it.
#pragma once

#include "spmd/dialect/partitioning/Partitionable.h"
#include "spmd/ir/graph/ShardGraph.h"

namespace spmd {

/// Returns the rule of an op that makes one tensor, without regions, calls or flows, and all of
/// whose factors split freely; null for any other. It lives as long as the cache.
const OpRule *ruleOfElementWork(mlir::Operation *op, StrategyCache &cache);

/// Whether `op` makes one tensor by itself: no region, call or flow takes part.
bool makesOneTensor(mlir::Operation *op);

/// Whether what lies as `layout` is cut into as many pieces as what lies as `other`, or more.
bool cutsNoLess(const MeshSharding &layout, const MeshSharding &other);

} // namespace spmd
