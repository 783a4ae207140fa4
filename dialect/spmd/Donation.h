// Arguments whose buffers results take over.
#pragma once

#include "mlir/IR/BuiltinOps.h"

namespace spmd {

/// On an argument of a function, an integer: the number of the result that may reuse its buffer.
inline constexpr llvm::StringLiteral donationName = "tf.aliasing_output";

/// Beside it, a bool: the result was chosen for the argument by its type alone. It need not lie as
/// the argument does.
inline constexpr llvm::StringLiteral donorName = "jax.buffer_donor";

/// Returns whether `value` is an argument of a function whose buffer a result may reuse.
bool isDonated(mlir::Value value);

/// Fails after diagnostics where a donation of `module` names no result of its function, or one
/// that another argument was given to. One to a result of another type is dropped with a warning.
mlir::LogicalResult checkDonations(mlir::ModuleOp module);

} // namespace spmd
