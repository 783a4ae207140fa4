// Manual computations from the calls that GSPMD marks their borders with.
#pragma once

#include "spmd/dialect/import/Meshes.h"

#include "mlir/IR/Block.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace spmd {

/// What is said of values at the borders of regions, in terms of the module's meshes, by number.
struct BorderShardings {
  llvm::ArrayRef<MeshByName> meshes;
  /// Whether a mesh has axes for the sharding of a value; so it has where there is none.
  llvm::function_ref<bool(mlir::Value, size_t mesh)> fits;
  /// What the sharding of a value says in terms of a mesh that has axes for it; nothing if it has
  /// none.
  llvm::function_ref<std::optional<PlacedTiles>(mlir::Value, size_t mesh)> placementOf;
  /// Told of each op that comes to stand in a region, with the region's mesh.
  llvm::function_ref<void(mlir::Operation *, size_t mesh)> standsOn;
};

/// Makes a manual computation of the ops between calls of @SPMDFullToShardShape and
/// @SPMDShardToFullShape in `block`: one for each set of ops that local values connect, on the
/// first mesh that has axes for all that goes in and comes out.
///
/// Other values that such ops use go in whole. Fails after a diagnostic if a local value gets out
/// otherwise, the calls disagree on what is manual, no mesh has axes for all of them, or a region
/// would depend on its own results.
mlir::LogicalResult makeManualRegions(mlir::Block &block, const BorderShardings &shardings);

} // namespace spmd
