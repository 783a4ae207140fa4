// What leads to the ops of a block and what they lead to, as numbers to compare by.
#pragma once

#include "spmd/passes/optimize/merge/BlockGraph.h"

#include <array>

namespace spmd {

/// So many ops away is near.
constexpr int nearest = 2;

/// How an op is made, from what, and what becomes of it: as far as one op away, two, and so on,
/// then all the way to the ends of the block. To be compared one after the other, so that what is
/// far away says nothing where what is near does: a program and the same with further results, or
/// with an argument that is made otherwise, differ no more than they must.
using Surroundings = std::array<uint64_t, nearest + 1>;

/// Returns those of each op. The order of the program does not count, nor which argument of the
/// block is read or which result is returned: a program and the same with its ops and results in
/// another order have the same. So have ops that differ in nothing of this; others may, by chance.
/// The same for each run. Linear.
std::vector<Surroundings> surroundingsOf(const BlockGraph &graph);

} // namespace spmd
