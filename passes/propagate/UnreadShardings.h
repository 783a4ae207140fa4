// Shardings in a notation that is not read.
#pragma once

#include "mlir/IR/BuiltinOps.h"

namespace spmd {

/// Warns, once for the whole module, if arguments, results or ops have a `mhlo.sharding` (GSPMD's
/// notation) and no `sdy.sharding`: how many, and where the first ones are. Linear.
void warnOfUnreadShardings(mlir::ModuleOp module);

} // namespace spmd
