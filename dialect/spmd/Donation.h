// Arguments whose buffers results take over.
#pragma once

#include "mlir/IR/BuiltinOps.h"

namespace spmd {

/// On an argument of a function, an integer: the number of the result that may reuse its buffer.
inline constexpr llvm::StringLiteral donationName = "tf.aliasing_output";

/// Fails after diagnostics where a donation of `module` names no result of its function, or one
/// that another argument was given to. One to a result of another type is dropped with a warning.
mlir::LogicalResult checkDonations(mlir::ModuleOp module);

} // namespace spmd
