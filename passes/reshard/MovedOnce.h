// What does not change in a loop, so that a move of it is made once, before the first turn.
//
//     while(%w = %a) { .. dot %x, %w .. return %w }      %w is gathered once for all iterations
#pragma once

#include "spmd/dialect/spmd/Callers.h"
#include "spmd/dialect/spmd/DataFlow.h"
#include "spmd/passes/reshard/Values.h"

namespace spmd {

/// With fewer iterations, moving once saves little. Loops with an unknown trip count have enough.
inline constexpr int64_t enoughTurns = 8;

/// Marks what `loops` hand on as it is, also in functions that are called there alone, and what few
/// ops make of such: as much of it as takes no more than `hoistBytes`, in the order of the loops.
/// Linear in the uses.
void markUnchanging(llvm::ArrayRef<DataFlow> loops, uint64_t hoistBytes, OnlyCallees &callees,
                    OpKinds &kinds, Values &values);

} // namespace spmd
