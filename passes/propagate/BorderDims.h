// Dims at the borders of manual computations, of which each device holds a part for itself.
//
// A part is cut further at other rows than the whole would be, unless the axes divide it. What one
// side of the border could not lie as, the other must not learn: both have one sharding in the
// text.
#pragma once

#include "spmd/ir/graph/ShardGraph.h"

namespace spmd {

/// Returns the rule that ties a tensor to what it is inside a manual region, one part along the
/// manual axes.
OpRule borderRule(const ShardGraph::Shape &whole, const ShardGraph::Shape &part);

class BorderDims {
public:
  /// Adds the tensors that `ops` of a graph tie, what is outside and the part of it inside.
  void add(const ShardGraph &graph, absl::Span<const int32_t> ops);

  /// Returns the sharding `learnt` of a value without the axes that it has not yet, and that do not
  /// divide such a dim; the one that the value has if nothing new is left.
  int32_t withoutUneven(ShardGraph &graph, int32_t value, int32_t learnt) const;

private:
  absl::flat_hash_map<int32_t, absl::InlinedVector<int32_t, 2>> dimsOf; ///< By value.
};

} // namespace spmd
