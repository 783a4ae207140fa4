// How much work an instruction is, before it runs.
#pragma once

#include "spmd/lowering/program/DeviceProgram.h"

namespace spmd {

/// Returns about how many operations on elements `instruction` of `function` takes one device, at
/// least `workToStart`. Calls, loops and branches count nothing for what they run, whose
/// instructions count themselves. Saturates at 2^62.
///
/// Requires that types and indices are as `verify` checks; attributes that do not fit count as
/// absent. Linear in the ranks and in the length of the instruction's bodies.
int64_t workOf(const DeviceProgram &program, const Function &function,
               const Instruction &instruction);

/// To start an instruction takes as long as this many operations on elements.
constexpr int64_t workToStart = 64;

} // namespace spmd
