// The time of a collective on the tiers of links that its groups span.
//
// A group is described by how many blocks of the tier below it touches in one block of each tier.
// With tiers of 8 (NVLink) and of all devices (InfiniBand):
//
//     0 1 2 3 4 5 6 7      widths 8, 1     within a node
//     0 8 16 24            widths 1, 4     one device of each of four nodes
//     0 1 8 9              widths 2, 2     two of each of two nodes
//
// The cost of w members on a tier with latency a and bandwidth b, for S bytes of the result of an
// all-gather (or of the operand of the others):
//
//     steps(w)         ceil(log2 w) behind a switch; floor(w/2) in a ring, which goes both ways
//     all_gather       steps(w) a + S (w-1)/w / b
//     reduce_scatter   the same
//     all_reduce       both
//     all_to_all       behind a switch, the better of w-1 steps with S (w-1)/w bytes in all, and of
//                      log2 w steps with S/2 bytes each (Bruck); in a ring S w/4, as data hops
//     broadcast        steps(w) a + S / b
//     permute          a + S / b; in a ring all hops, in one direction
//
// Sources: Thakur, Rabenseifner, Gropp, "Optimization of Collective Communication Operations in
// MPICH" (2005); for rings, "How to Scale Your Model" (jax-ml.github.io/scaling-book).
#pragma once

#include "spmd/ir/cost/CostConstants.h"
#include "spmd/ir/cost/DeviceProfile.h"

#include "absl/types/span.h"

#include <optional>

namespace spmd {

enum class CollectiveKind : uint8_t {
  allGather,
  allReduce,
  reduceScatter,
  allToAll,
  permute,
  broadcast
};

/// Returns the kind of the op `name` ("all_gather"). A reduction to one device counts as a
/// broadcast, which it reverses; a ragged exchange as an all-to-all of all rows.
std::optional<CollectiveKind> collectiveKindOf(std::string_view name);

/// How the devices of a group lie on the tiers of a profile.
struct TierSpan {
  int64_t size = 1;
  std::vector<int64_t> widths; ///< By tier: the most blocks of the tier below in one block.
  /// The product of the widths is the size: each block that the group touches has as many members.
  bool isRegular = true;

  bool operator==(const TierSpan &other) const {
    return size == other.size && widths == other.widths;
  }
};

struct CollectiveCost {
  Picoseconds time = 0;
  int32_t tier = -1;           ///< The slowest that it crosses; -1 if nothing is sent.
  bool isHierarchical = false; ///< It runs tier by tier.
};

/// Prices collectives. Keeps a reference to the profile.
class CollectiveModel {
public:
  explicit CollectiveModel(const DeviceProfile &profile) : profile(profile) {}

  /// Returns the span of `group`, device ids in any order.
  TierSpan spanOf(absl::Span<const int64_t> group) const;

  /// Returns the time of one collective of `kind`, no permute, in a group with `span`. `bytes` is
  /// the size of the result for an all-gather, and the size of the operand for all other kinds.
  ///
  /// A group that spans several tiers takes the better of two ways: one exchange at the pace of the
  /// slowest links, or one exchange for each tier, which sends over slow links only what must cross
  /// them. The latter needs a regular span.
  CollectiveCost costOf(CollectiveKind kind, int64_t bytes, const TierSpan &span) const;

  /// Returns the time of a permute of `bytes` along `pairs`, source and target of each in turn:
  /// that of the slowest pair.
  CollectiveCost costOfPermute(int64_t bytes, absl::Span<const int64_t> pairs) const;

private:
  double secondsOn(const LinkTier &tier, CollectiveKind kind, double bytes, int64_t width) const;
  Picoseconds withStart(double seconds) const;

  const DeviceProfile &profile;
};

/// Returns `seconds`, rounded to the nearest picosecond.
Picoseconds toPicoseconds(double seconds);

} // namespace spmd
