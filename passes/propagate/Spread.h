// Rounds of propagation and decisions of conflicts, in turns, until both have nothing more to do.
#pragma once

#include "spmd/ir/graph/History.h"
#include "spmd/passes/Options.h"
#include "spmd/passes/propagate/Constants.h"
#include "spmd/passes/propagate/ProgramGraph.h"

namespace spmd {

/// Returns the graph of `module` with the shardings that propagation finds. Nothing is written back
/// yet; named computations are inlined, and hints are gone. What changes is added to `history`, if
/// there is one. Each use of a constant has its own (Constants.h), which `copies` gets to know.
/// Fails after diagnostics on what cannot be propagated.
mlir::FailureOr<std::unique_ptr<ProgramGraph>> propagateModule(mlir::ModuleOp module,
                                                               Conflicts conflicts, Hints hints,
                                                               History *history = nullptr,
                                                               ConstantCopies *copies = nullptr);

} // namespace spmd
