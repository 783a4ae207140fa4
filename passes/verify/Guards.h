// Collectives of manual computations that data of one device may keep others from.
#pragma once

#include "spmd/dialect/spmd/DataFlow.h"

namespace spmd {

/// Whether `op` is a manual computation, and neither in another nor in a function called there.
bool isOutermostManual(mlir::Operation *op);

/// Warns of each branch and loop of `computations`, and of the functions called there, that is
/// decided by data which may differ between devices, and around a collective that joins them. Data
/// may be equal all the same, so that this is no error: where it is not, the runtime reports who
/// waits for whom. (What is decided by the number of the device alone is left to `checkUniform`,
/// which knows more.)
///
/// Linear, but for groups, which are looked at device by device; does nothing where no branch or
/// loop is around a collective.
void warnOfGuards(mlir::ModuleOp module, llvm::ArrayRef<DataFlow> computations);

} // namespace spmd
