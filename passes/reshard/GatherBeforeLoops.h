// Gathers before a loop what is moved there, cut to pieces in the loop, and each piece gathered.
//
//     %w0 = reshard %x    [{"x"}, {}] -> [{}, {"x"}]       %w0 = reshard %x    -> [{}, {}]
//     while(%w = %w0) {                                    while(%w = %w0) {
//       %p = dynamic_slice %w, %i                     =>     %p = dynamic_slice %w, %i
//       %q = reshard %p   -> [{}, {}]                        .. %p ..
//       .. %q ..
//       return %w }                                          return %w }
//
// The pieces take as many bytes together as the whole, so what the first move takes is saved, and
// there is one collective instead of one more than there are turns.
#pragma once

#include "spmd/passes/reshard/Moves.h"

namespace spmd {

/// Rewrites the function that `moves` is at, in which every move is explicit, where what a loop
/// then holds more of is within the `hoistBytes` of a device that are left to it; it is told of
/// what is spent (`Hoisted.h`). Linear in the moves.
void gatherBeforeLoops(uint64_t hoistBytes, Layouts &layouts, Values &values, Moves &moves,
                       StrategyCache &strategies);

} // namespace spmd
