// Zeros in place of elements that are not there.
#pragma once

#include "mlir/IR/BuiltinOps.h"

namespace spmd {

/// Gives constants whose elements are left out (dialect/stablehlo/LeftOut.h) the elements zero. For
/// programs that are looked at and not run.
void standInForLeftOut(mlir::ModuleOp module);

} // namespace spmd
