// Dims that share factors: which annotations reach a dim, and on what way.
#pragma once

#include "spmd/ir/explain/Past.h"

#include "absl/container/flat_hash_map.h"

namespace spmd {

/// A dim of a value.
struct ValueDim {
  int32_t value = ShardGraph::none;
  int32_t dim = 0;

  friend bool operator==(const ValueDim &a, const ValueDim &b) {
    return a.value == b.value && a.dim == b.dim;
  }
  template <typename H> friend H AbslHashValue(H h, const ValueDim &place) {
    return H::combine(std::move(h), place.value, place.dim);
  }
};

/// One op on a way from dim to dim.
struct Tie {
  int32_t op;
  ValueDim from, to;
};

/// The shortest ways, through dims that share factors, from the dims that the program itself splits
/// along one axis of a mesh to all others.
class AnnotationWays {
public:
  /// Linear in the dims of all ops' tensors.
  AnnotationWays(const Past &past, const std::vector<bool> &isFree, int32_t mesh, int32_t axis);

  /// Returns the way to a dim; empty if there is none, or if the program itself splits it.
  std::vector<Tie> wayTo(ValueDim place) const;

private:
  bool isClaimed(ValueDim place) const;
  bool isOpen(ValueDim place) const;
  void visit(int32_t index, ValueDim here);

  const Past &past;
  const ShardGraph &graph;
  const std::vector<bool> &isFree;
  int32_t mesh, axis;
  std::vector<ValueDim> queue;
  absl::flat_hash_map<ValueDim, Tie> last; ///< The last op on the way to a dim.
};

/// Returns where a dim of tensor `tensor` of an op has factor `factor`, or -1.
int32_t dimOfFactor(const OpRule &rule, size_t tensor, int32_t factor);

} // namespace spmd
