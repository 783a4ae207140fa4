// What a compiled program moves and holds.
#pragma once

#include "spmd/tools/spmd-run/Session.h"

namespace spmd {

/// Fills in what `report` says of `program` itself: its name and mesh, traffic and memory.
void describeProgram(const DeviceProgram &program, RunReport &report);

} // namespace spmd
