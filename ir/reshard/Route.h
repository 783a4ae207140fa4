// Which shardings a reshard passes through.
//
// Mostly none: source and target align, and one transition does it. Two things prevent that: dims
// cut by 2 here and by 3 there have no common digits, and two meshes may have no common axes. Then
// the way leads over a pair of shardings that cut each dim into the same number of shards, so that
// one permute of whole blocks takes one to the other:
//
//     mesh <["x"=2, "y"=3]>    [{"x"}] -> [{"y"}]
//
//     [{"x"}]  slice  [{"x", "y"}]  permute  [{"y", "x"}]  all-gather  [{"y"}]
//
// Shard counts are compared prime by prime. Where the source has too few of a prime, an unused axis
// is sliced in, or if there is none, an axis moves over from a dim that has too many, by
// all-to-all. What the source has too many of is gathered after the permute. Any two meshes with
// the same number of devices have the same primes, so this always works out, and no block on the
// way is larger than the larger of the two ends.
#pragma once

#include "spmd/ir/reshard/Digits.h"

namespace spmd {

/// One sharding on the way, and how the one before turns into it.
struct Stop {
  /// On the second mesh of the reshard, not the first.
  bool onTo;
  Sharding sharding;
  /// By a permute of whole blocks: every dim has as many shards as before. Else by a transition
  /// over the mesh that both are on, along `alignment`.
  bool permute = false;
  Alignment alignment;
};

/// Returns the stops after `source`, the last of which is `target`.
///
/// The shardings are layouts (Sharding::layout). If `from` and `to` are the same object, both speak
/// of one mesh.
std::vector<Stop> routeBetween(const Mesh &from, const Sharding &source, const Mesh &to,
                               const Sharding &target);

} // namespace spmd
