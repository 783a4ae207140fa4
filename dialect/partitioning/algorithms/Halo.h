// Windows over a dim that is cut: each device gets the rows that its own results read.
#pragma once

#include "spmd/dialect/partitioning/Localizer.h"
#include "spmd/ir/reshard/Halo.h"

namespace spmd {

/// What the windows of one device's results read, and how they move over it: as before, but for
/// padding and base dilation.
struct WindowRead {
  mlir::Value rows;
  int64_t padLow = 0, padHigh = 0, baseDilation = 1;
};

/// Returns what windows read of the dim `dim` of a value that is cut along `axes`, of which `local`
/// is the device's part. The window over `WindowRead::rows` makes the device's shard of the
/// results.
///
/// Rows that do not exist hold `fill`, a scalar, or anything if it is null. Rows come from other
/// devices by permutes, or by one all-gather where that is cheaper. Requires that both dims have
/// rows. The ops do not grow with the number of devices, except for the pairs of the permutes.
WindowRead readWindows(Localizer &localizer, mlir::Value local, int64_t dim,
                       absl::Span<const AxisRef> axes, const WindowedDim &windowed,
                       mlir::Value fill);

/// Returns length() rows from the first that windows read on, without what stands between rows.
mlir::Value readRows(Localizer &localizer, mlir::Value local, int64_t dim,
                     absl::Span<const AxisRef> axes, const WindowedDim &windowed, mlir::Value fill);

} // namespace spmd
