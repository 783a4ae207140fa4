// Constants that come through calls and loops.
#pragma once

#include "spmd/passes/propagate/Engine.h"
#include "spmd/passes/propagate/InstanceCalls.h"

namespace spmd {

/// Makes those of `knowledge` that are `nothing` into `free` where all calls of a function pass
/// constants for the argument, where a loop hands a constant on as it came in, and what is made of
/// such values and scalars alone. A carry that changes is none of these, whatever it starts from.
/// Takes time in those that are `nothing`.
void noteHandedOn(const ProgramGraph &program, const InstanceCalls &calls,
                  std::vector<Knowledge> &knowledge);

} // namespace spmd
