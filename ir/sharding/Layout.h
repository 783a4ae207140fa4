// What a sharding means for one device: which part of the tensor it holds.
#pragma once

#include "spmd/ir/sharding/Sharding.h"

namespace spmd {

/// The part of a tensor that one device holds: a box, clipped to the tensor.
struct Shard {
  /// First element in each dim, in 0 .. globalShape[d].
  std::vector<int64_t> offsets;
  /// Elements in each dim without padding, possibly 0.
  std::vector<int64_t> sizes;

  bool isEmpty() const;
};

/// Returns into how many shards `dim` is cut.
inline int64_t numShards(const DimSharding &dim) { return sizeOf(dim.axes); }

/// Returns ceil(size / shards): what every device sets aside for a dim, padding included.
///
/// 10 over 4 gives 3 (shards of 3, 3, 3, 1); 2 over 4 gives 1 (1, 1, 0, 0); 0 gives 0. Follows
/// GSPMD (arXiv:2105.04663, section 4.1).
inline int64_t shardSize(int64_t size, int64_t shards) { return (size + shards - 1) / shards; }

/// Returns the shape that every device sets aside for a `globalShape` tensor, in elements.
/// Requires equal ranks.
std::vector<int64_t> localShape(const Sharding &sharding, absl::Span<const int64_t> globalShape);

/// Returns the shape of all shards side by side: localShape times the number of shards, in
/// elements.
std::vector<int64_t> paddedShape(const Sharding &sharding, absl::Span<const int64_t> globalShape);

/// Returns the part that the device at grid position `position` holds, padding excluded.
Shard shardAt(const Mesh &mesh, const Sharding &sharding, absl::Span<const int64_t> globalShape,
              int64_t position);

/// Returns whether every shard is full, that is, no device holds padding.
bool dividesEvenly(const Sharding &sharding, absl::Span<const int64_t> globalShape);

/// Returns the device ids of each group of devices that differ only along `axes`, in the order of
/// `axes`. Linear in the number of devices.
std::vector<std::vector<int64_t>> deviceGroups(const Mesh &mesh, absl::Span<const AxisRef> axes);

/// Checks `sharding` against `mesh` and the shape of its tensor; for a value that is no tensor,
/// give an empty shape and `isTensor` false.
///
/// InvalidArgument, naming the dim and the axis, if: the ranks differ; an axis occurs twice; parts
/// of an axis overlap, cannot stand in one sharding, follow each other or have size 1; `replicated`
/// or `unreduced` is not in mesh order; a dim of size 0 is sharded; a dim that is closed and empty
/// has a priority; a value that is no tensor has dims.
absl::Status verify(const Mesh &mesh, const Sharding &sharding,
                    absl::Span<const int64_t> globalShape, bool isTensor = true);

} // namespace spmd
