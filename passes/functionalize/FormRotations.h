// Rows that go round, written as one op.
//
//     x[2:16] and x[0:2], joined      becomes      x moved round by 2
//
// On their own, the two slices would be split otherwise than what they come from and go to: most
// rows would move twice.
#pragma once

#include "mlir/IR/BuiltinOps.h"

namespace spmd {

/// Makes `spmd.rotate` of the two parts of a tensor that are joined the other way round along a dim
/// that is split, alike before and after. Where a device holds the whole dim, two slices are as
/// good. Requires shardings on all values, as propagation leaves them.
void formRotations(mlir::ModuleOp module);

} // namespace spmd
