// What tiled and named shardings say, in digits of a device's position.
#pragma once

#include "spmd/ir/sharding/TileDigits.h"
#include "spmd/ir/sharding/TileSharding.h"

namespace spmd {

/// More devices are not listed one by one.
inline constexpr int64_t mostListed = 1 << 20;

/// What a sharding says of the dims of the tensor and of subgroups.
struct TileGrid {
  std::vector<TileDigits> dims;
  TileDigits manual, unreduced;
};

/// Returns where each of the numbers that `order` permutes stands in it.
std::vector<int64_t> inverseOf(absl::Span<const int64_t> order);

/// Returns the digits of the transposed grid.
TileDigits digitsOfGrid(const TileSharding &sharding);

/// Returns the digits of the axes in `axes` of a named sharding's own mesh.
TileDigits digitsOfAxes(const Mesh &mesh, absl::Span<const AxisRef> axes);

/// Returns the values that `digits` count through, last digit fastest.
std::vector<int64_t> listOf(const TileDigits &digits);

/// Returns a named sharding as a tiled one, device by device. Requires resolved axes.
absl::StatusOr<TileSharding> unnamed(const TileSharding &named);

/// Lays the devices of a tiled sharding out as positions of `order`. Devices that hold the same are
/// sorted, as which of them comes first says nothing.
std::vector<int64_t> positionsIn(absl::Span<const int64_t> order, const TileSharding &sharding);

/// Returns what a tiled or named sharding says in digits of positions in `order` (devices by
/// position; empty if device p stands at p). NotFound if it cannot be said so.
absl::StatusOr<TileGrid> gridIn(absl::Span<const int64_t> order, const TileSharding &sharding);

} // namespace spmd
