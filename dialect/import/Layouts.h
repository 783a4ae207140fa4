// Layouts that another compiler chose.
#pragma once

#include "mlir/IR/Operation.h"

namespace spmd {

/// Removes what XLA says beside an op of how its result lies in memory, and of its shape: it was
/// chosen for one device that has all of it, and is wrong of a part.
void dropLayout(mlir::Operation *op);

} // namespace spmd
