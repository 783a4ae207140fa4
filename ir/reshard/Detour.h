// Ways past shards that are mostly padding, or that do not fit.
//
// 3 rows over 8 shards are 3 full shards and 5 empty ones. A gather of them sends 8 rows, as all
// shards have one size; but where another dim divides, the rows can be dealt out along that first:
//
//     mesh <["x"=8]>, 3x64    [{"x"}, {}]  all-to-all  [{}, {"x"}]  all-gather  [{}, {}]
//
// sends 56 elements of the one row, then 168 of the three, instead of 448. What is scattered among
// such shards goes the same way back.
#pragma once

#include "spmd/ir/reshard/Reshard.h"

namespace spmd {

/// Returns the ways worth a plan beside the straight one, each as the shardings in between; none
/// where no shard has much padding. The shardings are layouts (Sharding::layout) on one mesh.
std::vector<std::vector<Sharding>> detoursBetween(const Sharding &source, const Sharding &target,
                                                  absl::Span<const int64_t> shape);

/// Returns what both shardings, layouts on one mesh, have in common: `source` is brought there by
/// gathers and reductions alone, and `target` cut out of it. Nothing if that is one of them.
///
/// Where dims are cut by 3 here and by 2 there, few rows travel less so than in blocks that change
/// size on the way.
std::optional<Sharding> sharedBy(const Sharding &source, const Sharding &target);

} // namespace spmd
