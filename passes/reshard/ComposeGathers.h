// Makes one of a move and a gather that have but elementwise work between them.
//
//     %a = reshard %x     [{"x"}, {"y"}] -> [{}, {"y"}]        %b = op %x
//     %b = op %a                                          =>   %c = reshard %b    -> [{}, {}]
//     %c = reshard %b     -> [{}, {}]
//
// Where the first move cuts what is there as the gather brings it, nothing is gathered
// (`WorkWhole.h`). Else no more bytes travel, in fewer collectives; each device does the work on
// its own piece, so that what the first move brought is not held beside what is gathered.
#pragma once

#include "spmd/passes/reshard/Moves.h"

namespace spmd {

/// Rewrites the function that `moves` is at, in which every move is explicit. Linear in the moves.
void composeGathers(Layouts &layouts, Values &values, Moves &moves, StrategyCache &strategies);

} // namespace spmd
