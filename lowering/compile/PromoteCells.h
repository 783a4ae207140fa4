// Cells that only loads and stores of one function touch become values.
#pragma once

#include "spmd/lowering/program/DeviceProgram.h"

namespace spmd {

/// Makes what is stored in a cell the value that its loads give, up to the next store:
///
///     %2 = buffer_alloc(%0)
///     %3 = buffer_load(%2)
///     %4 = add(%3, %1)               %4 = add(%0, %1)
///     buffer_store(%2, %4)
///     %5 = buffer_load(%2)
///     return %5                      return %4
///
/// so that a program that updates its arguments in place is fused, and takes as much memory, as one
/// on values. Cells that begin with zeros, or that a callee or a loop is given, stay. Releases must
/// be planned anew. Linear.
void promoteCells(DeviceProgram &program);

} // namespace spmd
