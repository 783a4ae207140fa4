// Moves reductions before ops that read what another reduction made, so that both are of one time.
//
//     %n = reshard %m                                 %n = reshard %m
//     %r = divide %p, %n     unreduced={"x"}    =>    %q = reshard %p
//     %s = reshard %r        after that of %m         %s = divide %q, %n
//
// As many bytes travel, but the two can be merged, or go on side by side.
#pragma once

#include "spmd/passes/reshard/Moves.h"

namespace spmd {

/// Rewrites the function that `moves` is at, in which every move is explicit. Linear in the moves.
void liftReductions(Layouts &layouts, Values &values, Moves &moves, StrategyCache &strategies);

} // namespace spmd
