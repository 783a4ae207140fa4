// Values that lie whole because all that they are made of does, on purpose.
#pragma once

#include "spmd/passes/propagate/Engine.h"
#include "spmd/passes/propagate/ProgramGraph.h"

namespace spmd {

/// Makes those of `knowledge` that are `nothing` into `wanted` where every value that they are made
/// of, over any number of ops, loops and calls, is a constant or lies whole because the program
/// wants it so: a random key that is pinned whole, and the keys made of it. What is made of an
/// argument that nobody spoke of, of something that is split, or by an op without a rule stays
/// `nothing`; so does what is larger than all that it is made of, and than a few kilobytes. Takes
/// time in the program if there are any, else in `knowledge`.
void noteMadeWhole(const ProgramGraph &program, std::vector<Knowledge> &knowledge);

} // namespace spmd
