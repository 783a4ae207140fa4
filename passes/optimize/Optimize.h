// The rewrites of `spmd-optimize`, each on its own.
#pragma once

#include "spmd/passes/Options.h"

#include "mlir/IR/BuiltinOps.h"

namespace spmd {

/// Makes equal collectives of a block, with equal operands, one. Saves all that the later ones
/// move. Linear.
void shareEqualCollectives(mlir::ModuleOp module);

/// Turns an all-reduce whose only use takes the slice that the device's place in the group names
/// into a reduce-scatter. Halves what it moves. Linear.
void formReduceScatters(mlir::ModuleOp module);

/// Merges all-reduces over the same groups with the same reducer that do not wait for each other
/// into one with several operands, up to `bucketBytes`. Saves latency; moves the same bytes.
/// Linear.
void mergeAllReduces(mlir::ModuleOp module, uint64_t bucketBytes);

/// Merges permutes of one type that have no sender and no receiver in common. Halves what they
/// move. Linear, but for the pairs.
void mergePermutes(mlir::ModuleOp module);

/// Makes products in pieces, of which each is on its way while another is computed: products of a
/// gathered operand, and those whose sum is reduced and scattered. Moves the same bytes. Linear.
void overlapDots(mlir::ModuleOp module);

/// Writes the groups of all collectives as `form` says, and numbers channels in program order.
/// Fails after a diagnostic on groups that do not cover the devices.
mlir::LogicalResult writeGroups(mlir::ModuleOp module, GroupForm form);

} // namespace spmd
