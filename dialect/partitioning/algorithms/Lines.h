// Whole lines of a dim that is cut: every device gets some of them, by an all-to-all, and gives
// back what it made of them by another one (the transpose method).
#pragma once

#include "spmd/dialect/partitioning/Localizer.h"

namespace spmd {

/// Makes of lines, the rows of a tensor of rank 2, as many new ones. It may change their length and
/// element type.
using LineFunction = llvm::function_ref<mlir::Value(mlir::Value lines)>;

/// Returns `local`, the device's part of a tensor whose dim `dim` is cut along `axes` and has
/// `size` rows, with every line along that dim replaced by what `compute` makes of it, cut as
/// before. Without axes nothing is sent.
mlir::Value mapLines(Localizer &localizer, mlir::Value local, int64_t dim, int64_t size,
                     absl::Span<const AxisRef> axes, LineFunction compute);

} // namespace spmd
