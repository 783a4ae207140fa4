// How a tensor lies on a mesh. This header can be learned alone; `Layout.h` says what it means for
// one device, `Spec.h` how it is written.
//
// A sharding gives each dim of a tensor an ordered list of mesh axes, major first. A dim of size n
// over axes with k positions in all is cut into k shards of ceil(n/k) rows; the last shards may be
// shorter, or empty. A device holds the shard that its coordinates along the axes name:
//
//     mesh <["x"=2, "y"=2]>, tensor 4x3
//
//     [{"x"}, {}]        x=0: rows 0-1      x=1: rows 2-3       (the same for every y)
//     [{"y", "x"}, {}]   y=0 x=0: row 0     y=0 x=1: row 1      y=1 x=0: row 2   y=1 x=1: row 3
//     [{}, {"x"}]        x=0: columns 0-1   x=1: column 2
//     [{"x"}, {"y"}]     x=0 y=0: rows 0-1 of columns 0-1       ...              x=1 y=1: rows 2-3
//     of column 2
//     [{"x"}, {}], unreduced={"y"}    x=0: rows 0-1, as two addends: one where y=0, one where y=1
//
// An axis is used once in a sharding. What it does not use, it replicates over.
//
// Three states of a dim are never mixed: *closed*, and this is what the user wants; *open* (`?`),
// and propagation may add axes at the minor end; *empty and open*, and nothing is known. A sharding
// as a whole is unspecified, inferred or pinned (ShardingState); where it is stored, so is its
// state.
#pragma once

#include "spmd/ir/sharding/AxisRef.h"
#include "spmd/ir/sharding/Reduction.h"

namespace spmd {

/// What is known of a value's sharding: nothing, what propagation found, or what the user said.
enum class ShardingState : uint8_t { unspecified, inferred, pinned };

/// The axes of one dim, major first.
struct DimSharding {
  AxisList axes;
  /// Propagation may append axes.
  bool open = false;
  /// User priority, 0 the highest; absent means 0, but is not printed.
  std::optional<int64_t> priority = std::nullopt;

  friend bool operator==(const DimSharding &a, const DimSharding &b) {
    return a.axes == b.axes && a.open == b.open && a.priority == b.priority;
  }
  template <typename H> friend H AbslHashValue(H h, const DimSharding &dim) {
    return H::combine(std::move(h), dim.axes, dim.open, dim.priority);
  }
};

/// A sharding of a tensor over the axes of a mesh that is given beside it.
struct Sharding {
  std::vector<DimSharding> dims;
  /// Axes that must stay replicated, in mesh order. (Other unused axes may be taken up by open
  /// dims.)
  AxisList replicated;
  /// Axes along which each device holds a share of the value, in mesh order.
  AxisList unreduced;
  /// How the shares combine. `sum` where `unreduced` is empty.
  ReductionKind kind = ReductionKind::sum;

  int64_t rank() const { return dims.size(); }

  /// Returns the sharding of a tensor of rank `rank` that no axis splits, with all dims closed or
  /// open.
  static Sharding replicatedOf(int64_t rank, bool open = false);

  /// Returns every axis in use, in mesh order: in dims and unreduced, and with `withReplicated`
  /// those too.
  AxisList usedAxes(bool withReplicated = false) const;

  /// Returns whether each device holds the whole tensor.
  bool isFullyReplicated() const;

  /// Returns the same layout with the wishes dropped: all dims closed, no priorities, no explicitly
  /// replicated axes, sub-axes merged. Two shardings lie alike on a mesh if these are equal.
  Sharding layout() const;

  friend bool operator==(const Sharding &a, const Sharding &b) {
    return a.dims == b.dims && a.replicated == b.replicated && a.unreduced == b.unreduced &&
           a.kind == b.kind;
  }
  friend bool operator!=(const Sharding &a, const Sharding &b) { return !(a == b); }
  template <typename H> friend H AbslHashValue(H h, const Sharding &s) {
    return H::combine(std::move(h), s.dims, s.replicated, s.unreduced, s.kind);
  }
};

} // namespace spmd
