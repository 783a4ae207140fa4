// Buffers as mutable cells of a device program.
#pragma once

#include "spmd/dialect/spmd/Dialect.h"
#include "spmd/lowering/program/DeviceProgram.h"

#include "llvm/ADT/DenseSet.h"

namespace spmd {

/// Returns the loads in `block` after which nobody reads the cell before it is stored to: they take
/// the tensor out, so that it may be updated in place. `diesAtEnd` tells whether the block's own
/// buffer arguments are of no use after it.
llvm::DenseSet<mlir::Operation *> findTakingLoads(mlir::Block &block, bool diesAtEnd);

/// Returns the stores in `block` that come before any other access to a buffer made there: the cell
/// is made of what they store, and no zeros are.
llvm::DenseSet<mlir::Operation *> findFirstStores(mlir::Block &block);

/// Makes `instruction`, which has the operands of `op`, the access to a cell that `op` is. Returns
/// false if `op` is none.
bool compileAccess(mlir::Operation *op, bool takes, Instruction &instruction);

} // namespace spmd
