// How many bytes are alive on one device at the worst moment, and what they are.
#pragma once

#include "spmd/lowering/program/DeviceProgram.h"

namespace spmd {

/// Returns the bytes of all values that are alive on one device at the worst moment, as the
/// releases say.
///
/// Arguments that are not donated count throughout. A result that takes over the buffer of a
/// released operand (reshape, elementwise ops, updates, calls) is counted once; the body of a loop
/// or call counts on top of what its caller keeps. Requires verify(program). Linear.
int64_t peakBytes(const DeviceProgram &program);

/// What is alive on one device at the worst moment.
struct PeakMoment {
  struct Held {
    int64_t bytes = 0;
    int32_t argument = -1;              ///< Of the program; -1 for what an instruction made.
    std::string op = {}, location = {}; ///< Of that instruction; empty for what a caller passes.
  };
  int64_t bytes = 0;
  std::string op = {}, location = {}; ///< What runs then; empty if it is arguments alone.
  std::vector<Held> held = {};        ///< Largest first.
};

/// Returns the first such moment. Requires verify(program). Linear.
PeakMoment peakMoment(const DeviceProgram &program);

} // namespace spmd
