// Which values of a program are ahead or late, as `ir/choose/Timing.h` says of those of a graph.
//
// What is outside of regions in @main may be ahead or late, nothing else is.
#pragma once

#include "spmd/passes/reshard/Values.h"

namespace spmd {

/// Marks the results of an op, whose operands are marked, that are ahead.
void markAhead(mlir::Operation *op, const OpKind &kind, Values &values);

/// Marks the operands of an op that are not only on their way to results. Its own results are
/// marked; in the beginning nothing is waited for.
void markWaited(mlir::Operation *op, const OpKind &kind, Values &values);

} // namespace spmd
