// Manual computations from the calls that GSPMD marks their borders with.
#pragma once

#include "spmd/ir/sharding/TileSharding.h"

#include "mlir/IR/Block.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace spmd {

/// What a value's sharding says in terms of the module's mesh; nothing if it has none.
using PlacementOf = llvm::function_ref<std::optional<PlacedTiles>(mlir::Value)>;

/// Makes a manual computation of the ops between calls of @SPMDFullToShardShape and
/// @SPMDShardToFullShape in `block`: one for each set of ops that local values connect.
///
/// `placementOf` tells the shardings of what goes in, and of local and global values that come out.
/// Other values that such ops use go in whole. Fails after a diagnostic if a local value gets out
/// otherwise, the calls disagree on what is manual, or a region would depend on its own results.
mlir::LogicalResult makeManualRegions(mlir::Block &block, mlir::FlatSymbolRefAttr meshName,
                                      const Mesh &mesh, PlacementOf placementOf);

} // namespace spmd
