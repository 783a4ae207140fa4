// Orders of a block in which the members of each meeting stand side by side, and what they hold.
#pragma once

#include "spmd/dialect/spmd/Sizes.h"
#include "spmd/passes/optimize/merge/Meetings.h"

namespace spmd {

/// Where a meeting takes place. Other ops stay as near to program order as it lets them.
enum class Place {
  late, ///< Right before the first op that reads a result, what members read is made before; or, if
        ///< no more is made than read, where the last member stands.
  early ///< Right behind the last op that makes an operand: what reads a result is done behind.
};

/// Returns the ops in an order in which each follows what it waits for. Linear.
std::vector<int32_t> orderOf(const BlockGraph &graph, const Meetings &meetings, Place place);

/// Returns how many ops that compute are in the longest row that leads to each op, itself included.
/// Linear.
std::vector<int32_t> depthsOf(const BlockGraph &graph);

/// Returns the ops in the order in which each result of the block is made as soon as it can be:
/// those that few ops lead to come first, and what an op reads is made right before it, what most
/// ops lead to first. Of two that as many lead to, the larger comes first; of two as large, what is
/// around them decides (`surroundingsOf`), not the order of the program. Linear, but for sorting
/// what an op waits for.
std::vector<int32_t> depthFirstOrder(const BlockGraph &graph);

/// What an op holds.
struct Footprint {
  uint64_t results = 0; ///< Bytes of what it makes; 0 for a view and for what need not be held.
  uint64_t inside = 0;  ///< What is held in its regions beyond that, at the worst moment.
  bool isView = false;  ///< Whether it shows its first operand, which is held as long.
};

/// Returns what `op` holds but for its regions.
Footprint footprintOf(mlir::Operation *op);

/// Returns the bytes that are held while each op is done, in `order`, members of a meeting at once.
/// Linear.
std::vector<uint64_t> heldBytes(const BlockGraph &graph, const Meetings &meetings,
                                llvm::ArrayRef<int32_t> order,
                                llvm::ArrayRef<Footprint> footprints);

/// Returns the most of `heldBytes`: what is held at the worst moment. Linear.
uint64_t peakBytes(const BlockGraph &graph, const Meetings &meetings, llvm::ArrayRef<int32_t> order,
                   llvm::ArrayRef<Footprint> footprints);

} // namespace spmd
