// Results of which nobody says where each device's part lies in the whole.
#pragma once

#include "spmd/lowering/interpreter/Compare.h"

#include "absl/types/span.h"

namespace spmd {

/// Compares `parts[device]`, all of one type, with the tiles of `expected`: the boxes of the parts'
/// shape that it is cut into, the last ones clipped. Equal if every tile is held by some device,
/// and every device holds some tile; where a dim of so many shards leaves the last ones empty, a
/// device may hold padding only. An element is equal as `compare` says.
///
/// InvalidArgument if element types or ranks differ, or there are more tiles than devices. Takes
/// time for every pair of a tile and a device with other contents than those before it.
absl::StatusOr<Comparison> compareParts(absl::Span<const Tensor> parts, const Tensor &expected,
                                        double rtol, double atol);

} // namespace spmd
