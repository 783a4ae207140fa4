// What moving a tensor costs, looked up for those that were asked for before.
#pragma once

#include "spmd/ir/graph/KeyNumbers.h"
#include "spmd/ir/graph/ShardGraph.h"
#include "spmd/ir/reshard/Reshard.h"

#include <functional>

namespace spmd {

/// Meshes by number, and what moving a tensor costs.
class ReshardCosts {
public:
  /// A number must always mean the same mesh.
  ReshardCosts(std::function<const Mesh &(int32_t)> meshAt, const CostModel &model)
      : meshAt(std::move(meshAt)), model(model) {}

  /// Returns the seconds it takes to bring a tensor from one sharding to another; infinity if there
  /// is no way.
  double cost(const MeshSharding &from, const MeshSharding &to, absl::Span<const int64_t> shape,
              int32_t elementBits);

  const CostModel &costModel() const { return model; }
  const Mesh &meshOf(int32_t mesh) const { return meshAt(mesh); }

private:
  std::function<const Mesh &(int32_t)> meshAt;
  CostModel model;
  std::vector<int32_t> key;
  KeyNumbers numbers;        ///< Of what was asked for, as a list of numbers.
  std::vector<double> known; ///< By number.
};

} // namespace spmd
