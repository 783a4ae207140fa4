// Rounds of propagation and decisions of conflicts, in turns, until both have nothing more to do.
#pragma once

#include "spmd/ir/graph/History.h"
#include "spmd/passes/Options.h"
#include "spmd/passes/propagate/ProgramGraph.h"

namespace spmd {

/// Gives values of `graph` their shardings. `isFree` marks those that cost nothing wherever they
/// are needed. What changes is added to `history`, if there is one.
void spread(ShardGraph &graph, const std::vector<bool> &isFree, Conflicts conflicts,
            History *history = nullptr);

/// Returns the graph of `module` with the shardings that propagation finds. Nothing is written back
/// yet; named computations are inlined. Fails after diagnostics on what cannot be propagated.
mlir::FailureOr<std::unique_ptr<ProgramGraph>>
propagateModule(mlir::ModuleOp module, Conflicts conflicts, History *history = nullptr);

} // namespace spmd
