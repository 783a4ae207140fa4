// Who sends its block to whom, without naming the devices.
//
// A permute is described by where blocks stand before and after. On a mesh 2x2, from
// [{"x"}, {"y"}] to [{"y"}, {"x"}]:
//
//     before = {"x"}, {"y"}        block (i, j) is held where x=i, y=j
//     after  = {"y"}, {"x"}        block (i, j) goes where y=i, x=j
//
// so device x=0 y=1 sends to x=1 y=0. Devices that agree on all of `before` are replicas, and any
// of them may send. The pairs are worked out when asked for; a plan for 8192 devices holds two
// short lists.
#pragma once

#include "spmd/ir/reshard/Index.h"

#include <utility>

namespace spmd {

struct Exchange {
  /// The axes that count the blocks, major list first: of the mesh `beforeSide` where they stand at
  /// first, of `afterSide` where they go. List i of both has the same size.
  MeshSide beforeSide = MeshSide::from;
  MeshSide afterSide = MeshSide::from;
  std::vector<AxisList> before;
  std::vector<AxisList> after;
  /// Where not 0: block i of the first list goes to where i - shift stands, for i - shift in
  /// firstReceiver .. endReceiver-1; the rest go nowhere.
  int64_t shift = 0;
  int64_t firstReceiver = 0;
  int64_t endReceiver = 0;

  /// Returns the (source, target) pairs as device ids, ordered by target position in its mesh. No
  /// device occurs twice as source or as target. A device that already holds what it needs is
  /// paired with itself. Linear in the number of devices.
  std::vector<std::pair<int64_t, int64_t>> pairs(const Mesh &from, const Mesh &to) const;

  /// Returns `({"x"}, {"y"}) -> ({"y"}, {"x"})`.
  std::string str(const Mesh &from, const Mesh &to) const;
};

} // namespace spmd
