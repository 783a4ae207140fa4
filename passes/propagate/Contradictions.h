// Pins that are not kept as they stand: where two of them meet, and where one asks for what no
// device program does.
#pragma once

#include "spmd/passes/Options.h"
#include "spmd/passes/propagate/ProgramGraph.h"

namespace spmd {

/// Returns whether no sharding is as both `a` and `b` say: some dim is on other axes, or ends where
/// the other goes on, or one splits a dim by what the other needs elsewhere. Open dims may grow.
/// Two meshes agree only on what is whole. Requires equal ranks.
bool contradict(const MeshSharding &a, const MeshSharding &b);

/// Reports each member of a sharding group that is pinned so that it cannot lie as another pinned
/// member does, with both places. No sharding is what was asked, so this fails; by Shardy's rules
/// it warns, as Shardy does, and each stays as it is pinned. A pin that cannot be read is reported
/// elsewhere.
mlir::LogicalResult checkMembers(ProgramGraph &program, Conflicts conflicts);

/// Remarks on each pin that a call, or its caller, contradicts: the value is moved at every call.
/// Looks at each call of the program once, not at its instances.
void remarkMovedAtCalls(ProgramGraph &program);

/// Remarks on each pin to one device: every device holds the value whole. Fails after reporting all
/// whose device is none of the program's.
mlir::LogicalResult checkPinsOfOneDevice(ProgramGraph &program);

} // namespace spmd
