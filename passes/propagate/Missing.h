// Values without a sharding.
#pragma once

#include "spmd/passes/propagate/Engine.h"
#include "spmd/passes/propagate/ProgramGraph.h"

namespace spmd {

/// Returns each value that nothing reached, once, in program order. Linear in the graph.
std::vector<mlir::Value> findMissing(const ProgramGraph &program,
                                     llvm::ArrayRef<Knowledge> knowledge);

} // namespace spmd
