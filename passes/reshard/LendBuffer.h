// Buffers for callees that want them to lie otherwise.
#pragma once

#include "spmd/passes/reshard/Layouts.h"

namespace spmd {

/// Gives the callee, for the buffer that is `operand` of a call and lies as `held`, one of its own
/// that lies as `wanted`: a copy of what the buffer holds, which is copied back after the call.
void lendBuffer(mlir::OpOperand &operand, int32_t held, int32_t wanted, Layouts &layouts);

} // namespace spmd
