// Shardings in other notations than `sdy`'s, made into it.
#pragma once

#include "mlir/IR/BuiltinOps.h"

namespace spmd {

/// What the warning of a call of @Sharding that says nothing has behind the name of the call. Its
/// notes say where its operand is made, and, with `viewHasShardingText`, which view behind the call
/// has a sharding.
inline constexpr llvm::StringLiteral bareMarkerText =
    "calls @Sharding without a sharding; taken as no constraint";
inline constexpr llvm::StringLiteral viewHasShardingText = "a view of it says instead: ";

/// Stands in the error of a tensor that PyTorch/XLA marked twice, differently.
inline constexpr llvm::StringLiteral twoMarksText = "a tensor lies in one way";

/// On an op, a location: a call of @Sharding there was to pin its result, and did not say how.
inline constexpr llvm::StringLiteral bareMarkerAttrName = "spmd.bare_marker";

/// Turns what `module` says of shardings in GSPMD's notation (`mhlo.sharding`, calls of @Sharding,
/// @SPMDFullToShardShape and @SPMDShardToFullShape) and in Shardy's attributes for the way through
/// HLO (`xla.sdy.*`) into shardings, constraints and manual computations. All of it lies on the
/// mesh that the module has, or on one made for it (ir/sharding/TileSharding.h). A module without
/// such notation stays as it is. Linear.
///
/// A call of @Sharding that says nothing is no constraint, and warned of. What ordinary ops say in
/// `mhlo.sharding` was left there by earlier passes, and is dropped.
///
/// What one device of several holds alone lies on a mesh that is this device. Arguments and results
/// of public functions are whole: one that is manual is an error, if the module was not partitioned
/// already.
///
/// Devices in orders that no one mesh has axes for make several meshes.
///
/// Fails after diagnostics: texts that are no sharding or do not fit, more than 8 such orders,
/// manual regions that cannot be told from their surroundings; tensors that PyTorch/XLA marked
/// twice, differently (dialect/import/Marks.h).
mlir::LogicalResult importShardings(mlir::ModuleOp module);

} // namespace spmd
