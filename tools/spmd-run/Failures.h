// Where the runtime's errors are shown.
#pragma once

#include "absl/status/status.h"
#include "mlir/IR/MLIRContext.h"

namespace spmd {

/// Reports an error of a run at the op that it names with its place, as `describe` in
/// lowering/program/DeviceProgram.h does. Of the message
///
///     'dot_general' at mlp.mlir:3:8: no memory for 8x8xf32 (256 bytes)
///
/// that is `mlp.mlir:3:8: error: 'dot_general': no memory for 8x8xf32 (256 bytes)`. Returns false,
/// and reports nothing, if the message has no place.
bool reportAtOp(const absl::Status &status, mlir::MLIRContext &context);

} // namespace spmd
