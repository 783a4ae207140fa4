// What the graph says of tensor types, looked up once for each.
#pragma once

#include "spmd/dialect/partitioning/Partitionable.h"
#include "spmd/ir/graph/ShardGraph.h"

#include "llvm/ADT/DenseMap.h"

namespace spmd {

class TensorTypes {
public:
  struct Info {
    int32_t shape; ///< Its index in the graph.
    int32_t elementBits;
    bool isDynamic;
  };

  explicit TensorTypes(ShardGraph &graph) : graph(graph) {}

  /// What is no tensor has rank 0 and takes no bits.
  Info of(mlir::RankedTensorType type) {
    if (auto found = known.find(type); found != known.end())
      return found->second;
    if (!type)
      return known[type] = {graph.internShape({}), 0, false};
    return known[type] = {graph.internShape({type.getShape().begin(), type.getShape().end()}),
                          elementBits(type.getElementType()), !type.hasStaticShape()};
  }

private:
  ShardGraph &graph;
  llvm::DenseMap<mlir::Type, Info> known;
};

} // namespace spmd
