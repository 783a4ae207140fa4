// Values without a sharding, in groups that have one cause.
#pragma once

#include "spmd/passes/propagate/Engine.h"
#include "spmd/passes/propagate/ProgramGraph.h"

namespace spmd {

/// A value that nothing reached. Those of one group are tied by ops, calls and regions, through
/// values that nothing reached either: an annotation on one may reach all.
struct MissingValue {
  mlir::Value value;
  int32_t group; ///< From 0 in the order of the first members.
};

/// Returns each value that nothing reached, once, in program order. Linear in the graph.
std::vector<MissingValue> findMissing(const ProgramGraph &program,
                                      llvm::ArrayRef<Knowledge> knowledge);

} // namespace spmd
