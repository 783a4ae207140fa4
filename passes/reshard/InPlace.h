// Updates in place that come with another sharding than what they update.
#pragma once

#include "spmd/ir/choose/Choose.h"
#include "spmd/passes/reshard/Values.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace spmd {

/// Returns the buffer that `op` makes, reads or writes; null for any other op.
mlir::Value bufferOf(mlir::Operation *op);

/// Returns the argument whose memory `value` takes over when `func` returns; null if there is none.
mlir::Value argumentTakenOver(mlir::func::FuncOp func, mlir::Value value);

/// Warns, at `op`, if `value` is written in place of `updated` (an argument or a buffer), which
/// lies as `wanted`, and must be moved for that; if the op that makes it has what was there moved
/// before; or if it adds up shares of a sum to what was there: correct, but data moves at every
/// write.
void warnIfWrittenOtherwise(mlir::Operation *op, mlir::Value value, mlir::Value updated,
                            int32_t wanted, Values &values, Layouts &layouts, ReshardCosts &costs);

} // namespace spmd
