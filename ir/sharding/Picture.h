// Which device holds which part of a tensor, as a picture in text.
#pragma once

#include "spmd/ir/sharding/Mesh.h"
#include "spmd/ir/sharding/Sharding.h"

#include "absl/types/span.h"

#include <string>

namespace spmd {

/// Draws a tensor of `shape`, split as `sharding` says on `mesh`: a row for each shard of one dim,
/// a column for each of another, and in each cell the devices that hold it. Dims that are not split
/// are left out; of more than two that are, each combination of the first ones has a picture of its
/// own.
///
///             dim 1:  0..7  8..15
///     dim 0:  0..7    0, 2  1, 3
///             8..14   4, 6  5, 7
///
/// Ends with a line break. What takes more than 4096 cells is only counted. Requires a sharding
/// that fits the mesh and the shape.
std::string pictureOf(const Mesh &mesh, const Sharding &sharding, absl::Span<const int64_t> shape);

} // namespace spmd
