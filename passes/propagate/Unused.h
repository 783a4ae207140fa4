// Values from which nothing comes that matters: nobody asks how they lie.
#pragma once

#include "spmd/passes/propagate/Engine.h"
#include "spmd/passes/propagate/ProgramGraph.h"

namespace spmd {

/// Makes those of `knowledge` that are `nothing` into `unused` where no public function returns
/// what is made of the value and no effect comes of it: an argument that its function does not
/// read, a result that goes to such an argument alone. Arguments of public functions matter; of an
/// op that matters all operands do, of a call those that the callee uses. Of the others, constants
/// that come through calls and loops become `free` (`HandedOn.h`). Takes time in the program if
/// there are any, else in `knowledge`.
void noteUnused(const ProgramGraph &program, std::vector<Knowledge> &knowledge);

} // namespace spmd
