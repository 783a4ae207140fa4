// Shardings that an earlier pass or a tracer left at ordinary ops.
#pragma once

#include "spmd/ir/sharding/TileSharding.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Operation.h"

namespace spmd {

/// Turns the `mhlo.sharding` of each op into a hint, `spmd.sharding_hint`, as far as `mesh`, called
/// `meshName`, has axes for it. `tilesOf` returns what a text says. Nothing is left of one that
/// splits no result, stands in a manual region, or beside a sharding in `sdy`'s notation. Linear.
void writeHints(llvm::ArrayRef<mlir::Operation *> ops, const Mesh &mesh,
                mlir::FlatSymbolRefAttr meshName,
                llvm::function_ref<const TileSharding *(mlir::StringAttr)> tilesOf);

} // namespace spmd
