// Folding shards: a reduction whose body no collective knows, over a dim that is split.
#pragma once

#include "spmd/dialect/partitioning/Localizer.h"
#include "spmd/dialect/stablehlo/Dialect.h"

namespace spmd {

/// Reduces each shard of dim `dim`, which is split, gathers the results along the dim's axes and
/// reduces these. For an associative body the result is that of the whole: rows keep their order,
/// and the initial value counts once.
void foldShards(Localizer &localizer, stablehlo::ReduceOp reduce, int64_t dim);

} // namespace spmd
