// Sorting a dim that is cut: see ir/reshard/SortExchange.h for how.
#pragma once

#include "spmd/dialect/partitioning/Localizer.h"
#include "spmd/dialect/stablehlo/Dialect.h"

namespace spmd {

/// Whether elements that `sort` takes for equal can be told apart. Where they cannot, they need not
/// keep their order.
bool hasVisibleTies(stablehlo::SortOp sort);

/// Replaces `sort`, whose dim `dim` is cut along `axes`, by ops that give each device its shard of
/// what a stable sort of the whole gives. Requires a comparator that orders all elements: one that
/// is strict and in which being equal is transitive.
void sortShards(Localizer &localizer, stablehlo::SortOp sort, int64_t dim,
                absl::Span<const AxisRef> axes);

} // namespace spmd
