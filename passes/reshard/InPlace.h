// Updates in place that come with another sharding than what they update.
#pragma once

#include "spmd/ir/choose/Choose.h"
#include "spmd/passes/reshard/Values.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace spmd {

/// Whether `value` takes over the memory of an argument when `func` returns.
bool takesOverArgument(mlir::func::FuncOp func, mlir::Value value);

/// Warns, at `op`, if `value` is written in place and must be moved for that to the layout `wanted`
/// of what it updates: correct, but data moves at every write.
void warnIfWrittenOtherwise(mlir::Operation *op, mlir::Value value, int32_t wanted, Values &values,
                            Layouts &layouts, ReshardCosts &costs);

} // namespace spmd
