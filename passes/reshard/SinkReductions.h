// Moves reductions behind the ops that commute with them, where fewer bytes travel.
//
//     %a = reshard %p        %p, %q unreduced={"x"}          %r = add %p, %q     unreduced={"x"}
//     %b = reshard %q                                  =>    %s = reshard %r
//     %s = add %a, %b        two all-reduces                 one
//
// What may pass where says the op (`Strategy::commuting`): a sum passes a sum of two partial
// values, a transpose, a scaling, but no rounding.
#pragma once

#include "spmd/passes/reshard/Moves.h"

namespace spmd {

/// Rewrites the function that `moves` is at, in which every move is explicit. A reduction sinks as
/// long as each single op makes it no dearer. Linear in the moves. Returns whether any did.
bool sinkReductions(Layouts &layouts, Values &values, Moves &moves, StrategyCache &strategies);

} // namespace spmd
