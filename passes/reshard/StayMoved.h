// Lets work on single elements stay where the op before it left its operands, if what is made of it
// goes back there anyway.
//
//     %a = reshard %x     [{"x"}, {}] -> [{}, {"x"}]
//     %b = op %a, %k                                        %l = reshard %k     -> [{"x"}, {}]
//     %c = reshard %b     -> [{"x"}, {}]               =>   %c = op %x, %l
//
// So stands the product of two transforms between them: each wants whole lines, and what the
// program says of the values between them comes from elsewhere.
#pragma once

#include "spmd/passes/reshard/Moves.h"

namespace spmd {

/// Rewrites the function that `moves` is at, in which every move is explicit, where that takes less
/// time in moves. Values that the user pinned stay as they lie. Linear in the moves.
void stayMoved(Layouts &layouts, Values &values, Moves &moves, StrategyCache &strategies);

} // namespace spmd
