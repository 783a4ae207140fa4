// JAX's notation of shardings, as plans take it beside Shardy's.
#pragma once

#include "spmd/ir/sharding/Spec.h"

#include <string_view>

namespace spmd {

/// Whether `text` begins as a `P(..)` or `PartitionSpec(..)`, or is a tuple such as
/// `('fsdp', None)`, which is PyTorch/XLA's form.
bool isPartitionSpec(std::string_view text);

/// Reads JAX's notation. One entry for each dim, of the first dims alone if the tensor has more:
///
///     P('x', None)                [{"x"}, {}]
///     P(('x', 'y'))               [{"x", "y"}]
///     P(None, P.UNCONSTRAINED)    [{}, {?}]
///     P('x', unreduced={'y'})     [{"x"}], unreduced={"y"}
///
/// InvalidArgument says what was expected, and in front of what.
absl::StatusOr<ShardingSpec> partitionSpecFromText(std::string_view text);

} // namespace spmd
