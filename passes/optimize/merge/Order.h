// Orders of a block in which the members of each meeting stand side by side, and what they hold.
#pragma once

#include "spmd/passes/optimize/merge/Meetings.h"

namespace spmd {

/// Where a meeting takes place. Other ops stay as near to program order as it lets them.
enum class Place {
  late, ///< Right before the first op that reads a result: what members read is made before.
  early ///< Right behind the last op that makes an operand: what reads a result is done behind.
};

/// Returns the ops in an order in which each follows what it waits for. Linear.
std::vector<int32_t> orderOf(const BlockGraph &graph, const Meetings &meetings, Place place);

/// Returns the bytes of all results that are held at the worst moment if ops are done in `order`,
/// and meetings at once. `inside` has what each op holds in its regions beyond that. Views hold
/// nothing themselves. Linear.
uint64_t peakBytes(const BlockGraph &graph, const Meetings &meetings,
                   llvm::ArrayRef<int32_t> order, llvm::ArrayRef<uint64_t> inside);

/// Returns the bytes of all operands, or results. What has no static shape counts nothing.
uint64_t bytesOf(mlir::ValueRange values);

} // namespace spmd
