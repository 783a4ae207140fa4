// Which operands of an op a result is made of.
#pragma once

#include "spmd/dialect/partitioning/Partitionable.h"

namespace spmd {

/// Returns the operands that `result` is made of: all of its op's, or, where that has several
/// results, those that share a factor with it, if any does (an optimization barrier passes each
/// operand to its own result).
llvm::SmallVector<mlir::Value> operandsTiedTo(mlir::OpResult result, StrategyCache &strategies);

} // namespace spmd
