// Values without a sharding.
#pragma once

#include "spmd/passes/propagate/Engine.h"
#include "spmd/passes/propagate/ProgramGraph.h"

namespace spmd {

/// Returns which values of the graph are reported: values of the program that nothing reached. What
/// only says how another such value lies is reported with that one: a constraint with its operand,
/// the result of a manual computation with what is returned in it, an argument of one with what
/// comes in. Empty if there is none.
std::vector<bool> reportedMissing(const ProgramGraph &program, llvm::ArrayRef<Knowledge> knowledge);

/// Returns each value that is reported, once, in program order. Linear in the graph.
std::vector<mlir::Value> findMissing(const ProgramGraph &program,
                                     llvm::ArrayRef<Knowledge> knowledge);

} // namespace spmd
