// Which operands of an op may come as shares, as its strategy says.
#pragma once

#include "spmd/passes/verify/rules/OpProgram.h"

#include <vector>

namespace spmd {

/// Returns the ways in which operands of `op` may be partial: for each kind of reduction that its
/// element type knows, each operand that may be so alone, then all that may be so jointly.
std::vector<PartialOperands> partialPlacements(mlir::Operation *op, const Strategy &strategy);

} // namespace spmd
