// Moves go back into the loops that they have left, where too much would be held while these turn.
#pragma once

#include "spmd/passes/reshard/Moves.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace spmd {

/// Keeps the bytes of a device by which moves of `func`, brought before loops for what reads them
/// there, make values larger than what is held anyway within `limit`, for each loop with those
/// around it. Moves that exceed it are made in the loop, once for each block that reads them.
/// Linear in the reads, times the depth of loops.
void limitHoisting(mlir::func::FuncOp func, uint64_t limit, Values &values, Moves &moves);

} // namespace spmd
