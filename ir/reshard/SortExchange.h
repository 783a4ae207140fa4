// A dim that is sorted while it is cut, in two all-to-alls and a halo.
//
// Every shard is sorted. Its rows are then dealt out like cards, row r to device r mod k, so that
// each device has an even share of the small, the middling and the large rows of every shard. It
// sorts what it got, and deals it back. By then no row is further than (k - 1)^2 places from where
// it belongs; each device reads that many rows beyond its shard on both sides, sorts, and keeps
// what is its own. Follows Leighton's columnsort (IEEE Transactions on Computers C-34, 1985).
//
//     4 devices, shards of 1000 rows     dealt: 750 rows sent, dealt back: 750, halo: 9 + 9
//     to gather instead                  3000
//
// Why (k - 1)^2: let some row be the largest of Z rows, and let m_j be what is left of those of
// them that shard j holds after they are dealt to all devices alike. Dealt and sorted, they fill
// the same number of places of each device, but that device c has one more for each j with m_j > c.
// Dealt back, the last of them stands (t - 1)(k - min m_j) places too far at most, t being how many
// m_j are positive, and the first of the others sum m_j - max m_j places too near.
#pragma once

#include "spmd/ir/reshard/Halo.h"

namespace spmd {

/// A dim of `size` rows, cut into `shards` shards.
struct SortedDim {
  int64_t size;
  int64_t shards;

  /// Rows of one shard, and how many that makes to deal them out evenly.
  int64_t block() const;
  int64_t dealtBlock() const;
  /// Whether there are rows that do not exist.
  bool isPadded() const { return dealtBlock() * shards != size; }
  /// How far a row may stand from where it belongs once all is dealt back.
  int64_t reach() const;
  /// Returns the window through which device i reads rows block() * i - reach() on, reach() beyond
  /// its block, of blocks of dealtBlock().
  WindowedDim window() const;
};

/// Whether there is a number of shards at which a dim of `size` rows is sorted with fewer bytes
/// than it is gathered.
bool isWorthSortingCut(int64_t size);

/// Returns the seconds it takes to send what `numTensors` tensors have to, if a row of all of them
/// together has `rowBytes` bytes.
double costOfSort(const SortedDim &dim, double rowBytes, int64_t numTensors,
                  const CostModel &model);

} // namespace spmd
