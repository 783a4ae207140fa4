// Pins that are not kept as they stand: where two of them meet, and where one asks for what no
// device program does.
#pragma once

#include "spmd/passes/propagate/ProgramGraph.h"

namespace spmd {

/// Returns whether no sharding is as both `a` and `b` say: some dim is on other axes, or ends where
/// the other goes on, or one splits a dim by what the other needs elsewhere. Open dims may grow.
/// Two meshes agree only on what is whole. Requires equal ranks.
bool contradict(const MeshSharding &a, const MeshSharding &b);

/// Warns, where `op` ties `second` to `first` as members of group `group`, if they are pinned so
/// that they cannot lie alike. A pin that cannot be read is reported elsewhere.
void warnOfContraryMembers(ShardingCodec &codec, mlir::Operation *op, uint64_t group,
                           mlir::Value first, mlir::Value second);

/// Remarks on each pin that a call, or its caller, contradicts: the value is moved at every call.
/// Looks at each call of the program once, not at its instances.
void remarkMovedAtCalls(ProgramGraph &program);

/// Remarks on each pin to one device: every device holds the value whole.
void remarkPinsOfOneDevice(ProgramGraph &program);

} // namespace spmd
