// Does light work on what each device has whole, instead of on its share, and gathers nothing.
//
//     %c = reshard %w        whole -> [{"x"}]              %p = dynamic_slice %w, %i
//     %p = dynamic_slice %c, %i                       =>
//     %q = reshard %p        -> whole
//
// So stands what a loop slices of rows that were gathered before it, where what propagation says of
// the slices comes from others that read them.
#pragma once

#include "spmd/passes/reshard/Moves.h"

namespace spmd {

/// Takes the place of `gather`, a move of the function that `moves` is at, in which every move is
/// explicit, if a few ops can make what it brings without any. Returns whether they do.
bool workWhole(mlir::Operation *gather, Layouts &layouts, Values &values, Moves &moves,
               StrategyCache &strategies);

} // namespace spmd
