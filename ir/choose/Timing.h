// Which moves a program need not wait for.
//
// A value that is made of arguments alone, such as a parameter in another shape or type, can be on
// its way while the ops in front of its first use still run; one that only goes to results, such as
// a gradient, while those behind it do. What is moved between two products is waited for:
//
//     y = x . W        W ahead: its gather runs behind what makes x
//     dW = x^T . dy    dW late: its reduce-scatter runs behind the rest of the backward pass
#pragma once

#include "spmd/ir/graph/ShardGraph.h"

#include <vector>

namespace spmd {

/// Whether the op multiplies and sums, as products of matrices do.
bool isProduct(const OpRule &rule);

/// For each value of a graph, 0 or 1.
struct Timing {
  std::vector<uint8_t> isAhead; ///< Made of what is there from the start, by light ops.
  std::vector<uint8_t> isLate;  ///< Only made into results, by light ops.
};

/// Returns the timing of the values of `graph`; those that are free are both. Linear in the graph.
Timing timingOf(const ShardGraph &graph, const std::vector<bool> &isFree);

/// Axes along which the program itself says how its computation lies, and always along one dim: the
/// batch, under FSDP. Weights that are split along such an axis too are kept so, and gathered to be
/// used. An axis pinned here on the rows and there on the features is shared by both in turn, as
/// under tensor parallelism; of one that nobody pins nothing is known. Nor is it of one that a
/// value in between has on the dim before its last, behind others: rows of a sequence, between
/// products whose weights lie along the same axis under sequence parallelism; or of rows that are
/// multiplied by each other (see Sequences.h). Where the program pins arguments alone, user
/// priorities tell the batch, which comes first, from the weights.
class SteadyAxes {
public:
  /// Takes in the pin of a value in between.
  void add(const MeshSharding &pin);
  /// Takes in that of an argument, or of what is ahead or late, with user priorities.
  void addKept(const MeshSharding &pin);

  /// Returns the number of the dim, or -1 if there is none or several.
  int32_t dimOf(int32_t mesh, const AxisRef &axis) const {
    if (auto found = dims.find({mesh, axis.axis}); found != dims.end())
      return found->second;
    auto found = kept.find({mesh, axis.axis});
    return found == kept.end() || !found->second.isBeforeOthers ? -1 : found->second.dim;
  }

  /// The axes that pins in between have along one dim: by mesh and axis, with the dim.
  std::vector<std::pair<std::pair<int32_t, int32_t>, int32_t>> alongOneDim() const;
  /// Takes an axis for one that is along several dims.
  void drop(std::pair<int32_t, int32_t> axis) { dims[axis] = -1; }

private:
  /// The dim that an axis is kept along at the highest priority.
  struct Kept {
    int64_t priority;
    int32_t dim; ///< -1 for several.
    bool isBeforeOthers = false;
  };

  absl::flat_hash_map<std::pair<int32_t, int32_t>, int32_t> dims; ///< -1 for several.
  absl::flat_hash_map<std::pair<int32_t, int32_t>, Kept> kept;
};

/// Returns those of a graph, by its pinned values.
SteadyAxes steadyAxesOf(const ShardGraph &graph, const Timing &timing);

} // namespace spmd
