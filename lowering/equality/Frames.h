// Which functions of a program run instruction by instruction.
#pragma once

#include "spmd/lowering/program/DeviceProgram.h"

namespace spmd {

enum class FunctionRole : uint8_t {
  unused,
  frame, ///< Runs as a call does: an entry, a callee, the body of a loop, a branch, an infeed.
  body   ///< Runs inside an instruction: a reducer, a comparator, a chain of elementwise steps.
};

/// Returns the role of each function. One that is a frame somewhere is a frame.
std::vector<FunctionRole> rolesOf(const DeviceProgram &program);

/// Returns whether `op` runs its functions as frames.
bool runsFrames(const std::string &op);

} // namespace spmd
