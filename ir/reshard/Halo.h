// Halos: rows of a dim that a device reads, but its neighbours hold.
//
// A window of 3 moves over 10 rows with padding 1. Over 4 shards, blocks are of 3 rows:
//
//     rows held      0 1 2 | 3 4 5 | 6 7 8 | 9 . .
//     rows needed  . 0 1 2 3 | 2 3 4 5 6 | 5 6 7 8 9 | 8 9 . . .
//
// Device i needs rows 3i - 1 .. 3i + 3: the last row of the device before, its own, the first row
// of the device behind. In general it needs `length` rows from floor((slope * i + offset) /
// divisor) on, of which those outside the dim do not exist. For each distance between a device and
// who holds what it needs, one permute moves a strip of rows; the widths follow from arithmetic on
// i.
#pragma once

#include "spmd/ir/reshard/Plan.h"
#include "spmd/ir/rules/OpRule.h"

namespace spmd {

/// A window that moves over a dim of `size` rows and makes `rows` results. Both are cut into
/// `shards` shards, along the same axes.
struct WindowedDim {
  Window window;
  int64_t size;
  int64_t rows;
  int64_t shards;

  /// Rows of one shard of the dim, and of the results.
  int64_t block() const;
  int64_t resultBlock() const;
  /// Returns how many of the results of device `i` exist.
  int64_t numResults(int64_t i) const;
  /// Returns how many devices have results: the first ones. A mesh may have many more.
  int64_t numWithResults() const;
  /// Returns the length of the stretch that one device's results read, in places of the dilated
  /// dim.
  int64_t span() const;
  /// Returns where the stretch of device `i` begins, in places of the dilated dim; negative in
  /// front of it.
  int64_t spanFrom(int64_t i) const;
  /// Whether the stretch begins at the same distance behind a row on all devices.
  bool hasFixedPhase() const;

  /// Returns the first row that device `i` needs, floor((slope * i + offset + rounding) / divisor),
  /// and how many rows it reads from there on: none if it has no results, at most length().
  int64_t slope() const;
  int64_t offset() const;
  int64_t divisor() const { return window.baseDilation; }
  /// A stretch that begins between two rows reads the second and not the first, if it reaches so
  /// far. Where it begins at different distances behind a row, it is taken to read both.
  int64_t rounding() const;
  int64_t first(int64_t i) const;
  int64_t count(int64_t i) const;
  int64_t length() const;

  /// Which rows exist. A dim that is read from its end is counted from there, padding included, so
  /// that shard q stands at place shards - 1 - q.
  int64_t begin() const { return window.reversed ? block() * shards - size : 0; }
  int64_t end() const { return window.reversed ? block() * shards : size; }
  /// Returns the rows that device `i` needs of what exists: from, to; empty if from >= to.
  std::pair<int64_t, int64_t> existing(int64_t i) const;
};

/// Devices firstReceiver .. endReceiver-1 get `width` rows from the place `distance` further on.
struct HaloRound {
  int64_t distance;
  int64_t width;
  int64_t firstReceiver;
  int64_t endReceiver;
  /// The first of the rows within the block of the sender, where it is the same for all.
  int64_t from;
};

/// How devices come to the rows they need: a frame of blocks, one a distance, in which the rows
/// begin at `at` (on device i, first(i) less the first row of the frame).
struct HaloPlan {
  /// By distance, without gaps; a round without receivers has width 0.
  std::vector<HaloRound> rounds;
  /// Rows begin at the same place of the frame on all devices. Strips hold then nothing but what is
  /// needed, and the frame is as long as they are.
  bool isFixed = true;
  /// Rows in front of the frame and behind it that no device holds.
  int64_t marginLow = 0, marginHigh = 0;
};

/// Returns the rounds. Linear in the number of shards, but for a logarithm.
HaloPlan planHalo(const WindowedDim &dim);

/// Returns the seconds it takes if a row of a block has `rowBytes` bytes. Where rounds would take
/// longer than an all-gather of the dim, or are too many, `gathers` is set, and the time is that of
/// the gather.
double costOfHalo(const WindowedDim &dim, const HaloPlan &plan, double rowBytes,
                  const CostModel &model, bool *gathers = nullptr);

/// Returns the (source, target) device ids of a round along `axes` of `mesh`. Linear in the number
/// of devices.
std::vector<std::pair<int64_t, int64_t>> pairsOf(const WindowedDim &dim, const HaloRound &round,
                                                 const Mesh &mesh, absl::Span<const AxisRef> axes);

} // namespace spmd
