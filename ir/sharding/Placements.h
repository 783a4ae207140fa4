// How PyTorch's DTensor writes a sharding: for each axis of a mesh, what it does.
//
//     mesh <["dp"=2, "tp"=4]>
//
//     [Shard(0), Replicate()]                     rows over "dp"              [{"dp"}, {}]
//     [Shard(0), Shard(0)]                        rows over "dp", then "tp"   [{"dp", "tp"}, {}]
//     [_StridedShard(dim=0, sf=4), Shard(0)]      rows over "tp", then "dp"   [{"tp", "dp"}, {}]
//     [Shard(1), Partial(sum)]                    columns over "dp", each an addend along "tp"
//
// Axes cut in the order of the mesh, each what those before it left, by the rule of torch.chunk: a
// part has ceil(size / number) elements, the last ones less or none. A strided shard first takes
// the tensor for a row of `sf` pieces, cuts each of them, and holds its part of every piece; the
// pieces are what later axes cut it into, so that those lie outside of it.
//
// A sharding cuts a dim over several axes at once. Where they do not divide it, DTensor's parts may
// be others: 10 over 2 and 2 is 3, 2, 3, 2 there and 3, 3, 3, 1 here. Such a pair has no
// counterpart, and the conversions say so.
#pragma once

#include "spmd/ir/sharding/Spec.h"

namespace spmd {

/// What one axis of a mesh does to a tensor.
struct AxisPlacement {
  enum class Kind : uint8_t { replicate, shard, partial };
  Kind kind = Kind::replicate;
  /// shard: the dim that it cuts; a negative one counts from the end, -1 the last.
  int64_t dim = 0;
  /// shard: into how many pieces the dim is taken to be cut already; 1 for a plain shard.
  int64_t splitFactor = 1;
  /// partial: how the addends combine.
  ReductionKind reduction = ReductionKind::sum;

  friend bool operator==(const AxisPlacement &a, const AxisPlacement &b) {
    return a.kind == b.kind && a.dim == b.dim && a.splitFactor == b.splitFactor &&
           a.reduction == b.reduction;
  }
};

/// Returns `[Shard(0), Replicate()]`.
std::string str(absl::Span<const AxisPlacement> placements);

/// Reads all of `text`: `[Shard(0), Replicate()]`, in parentheses or brackets, also as
/// `Shard(dim=0)`,
/// `_StridedShard(0, 4)`, `S(0)`, `R`, `P`, `P(max)`. InvalidArgument with line and column if it is
/// none; so are averages, norms and masks, which no sharding has as addends.
absl::StatusOr<std::vector<AxisPlacement>> placementsFromText(std::string_view text);

/// Returns the sharding of a `globalShape` tensor that `placements`, one for each axis of `mesh`,
/// say.
///
/// InvalidArgument, naming the axis or dim, if their number or a dim is wrong; if addends combine
/// in two ways; if the pieces of a strided shard are not what later axes cut, or do not divide the
/// dim; if the parts are not those of a sharding.
absl::StatusOr<Sharding> shardingOf(const Mesh &mesh, absl::Span<const AxisPlacement> placements,
                                    absl::Span<const int64_t> globalShape);

/// Returns the placements that say how a `globalShape` tensor lies by `sharding`, its wishes (open
/// dims, priorities) dropped. InvalidArgument if there are none: an axis is used in part or in two
/// places, or the parts are not those that DTensor cuts.
absl::StatusOr<std::vector<AxisPlacement>> placementsOf(const Mesh &mesh, const Sharding &sharding,
                                                        absl::Span<const int64_t> globalShape);

} // namespace spmd
