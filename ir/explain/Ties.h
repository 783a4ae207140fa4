// Dims that share factors: which annotations reach a dim, and on what way.
#pragma once

#include "spmd/ir/explain/Past.h"

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

/// Returns the shortest way, through dims that share factors, to `to` from a dim that the program
/// itself splits along `axis` of `mesh`; empty if there is none, or if `to` is one. Linear in the
/// graph.
std::vector<Tie> wayFromAnnotation(const Past &past, const std::vector<bool> &isFree, ValueDim to,
                                   int32_t mesh, int32_t axis);

/// Returns where a dim of tensor `tensor` of an op has factor `factor`, or -1.
int32_t dimOfFactor(const OpRule &rule, size_t tensor, int32_t factor);

} // namespace spmd
