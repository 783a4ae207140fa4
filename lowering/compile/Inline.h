// Small functions become part of those that call them.
#pragma once

#include "spmd/lowering/program/DeviceProgram.h"

namespace spmd {

/// Puts the instructions of a function where it is called, if it has at most 32 or is called from
/// one place. Results are the same, bit for bit; chains of elementwise instructions can then be
/// merged across calls, and none needs a frame.
///
/// A function that nothing runs any more keeps its number and loses its instructions. Releases must
/// be planned anew. Linear: what is copied more than once is small. Does nothing where functions
/// call themselves, which `verify` reports.
void inlineCalls(DeviceProgram &program);

} // namespace spmd
