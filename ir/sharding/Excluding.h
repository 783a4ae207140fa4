// Which parts of an axis cannot be in one sharding.
#pragma once

#include "spmd/ir/sharding/AxisRef.h"

namespace spmd {

/// Returns whether no sharding has both: they overlap, or no cut of the axis has both, as of (1)2
/// and (3)2 of an axis of size 6.
bool exclude(const AxisRef &a, const AxisRef &b);
bool exclude(const AxisRef &a, absl::Span<const AxisRef> list);
bool exclude(absl::Span<const AxisRef> a, absl::Span<const AxisRef> b);

} // namespace spmd
