// From the shardings of a ProgramGraph to attributes in the module.
#pragma once

#include "spmd/passes/propagate/Edges.h"
#include "spmd/passes/propagate/Engine.h"
#include "spmd/passes/propagate/Origins.h"
#include "spmd/passes/propagate/ProgramGraph.h"

namespace spmd {

/// What else to write.
struct WriteBackOptions {
  bool replicateMissing = false; ///< Values that nothing reached get a sharding, too.
  Origins *origins = nullptr;    ///< Values get where their axes come from.
  const Edges *edges = nullptr;  ///< Ops get which axes they moved.
};

/// Writes the sharding of every value that has one as `sdy.sharding`, inferred ones marked.
/// Functions that are called with different shardings are cloned, once for each distinct use; calls
/// follow.
///
/// Values that are wanted whole, or are free, get a sharding with all dims open; open dims of
/// constraints get what their results have got. What nothing reached is marked.
void writeBack(ProgramGraph &program, llvm::ArrayRef<Knowledge> knowledge,
               const WriteBackOptions &options);

} // namespace spmd
