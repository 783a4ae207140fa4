// What leads to the ops of a block and what they lead to, as numbers to compare by.
#pragma once

#include "spmd/passes/optimize/merge/BlockGraph.h"

namespace spmd {

/// Returns a number for each op that says how it is made, from what, and what becomes of it, all
/// the way to the ends of the block. The order of the program does not count, nor which argument of
/// the block is read or which result is returned: a program and the same with its ops and results
/// in another order have the same numbers. Ops that differ in nothing of this have one number; so
/// may, by chance, others. The same for each run. Linear.
std::vector<uint64_t> surroundingsOf(const BlockGraph &graph);

} // namespace spmd
