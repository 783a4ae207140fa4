// Running totals over a dim that is cut: what the shards before a device's own add up to.
#pragma once

#include "spmd/dialect/partitioning/Localizer.h"

namespace spmd {

/// Returns the reduction by `kind` of the totals of all devices in front of this one along `axes`:
/// one row, the identity on the first device. `total` is the device's own, one row of dim `dim`.
/// `fromEnd` counts from the last device. One all-gather of a row per device.
mlir::Value exclusiveScan(Localizer &localizer, mlir::Value total, int64_t dim,
                          absl::Span<const AxisRef> axes, ReductionKind kind, bool fromEnd);

} // namespace spmd
