// Ops that look at many elements.
#pragma once

#include "spmd/dialect/chlo/Dialect.h"

namespace spmd::legalize {

/// Replaces a `top_k` by a sort and slices. Fails, with a message, if the elements have no order.
mlir::LogicalResult expandTopK(chlo::TopKOp op);

/// Replaces a `ragged_dot` by a plain product of masked rows. Fails, with a message, if the
/// elements have no zero.
mlir::LogicalResult expandRaggedDot(chlo::RaggedDotOp op);

} // namespace spmd::legalize
