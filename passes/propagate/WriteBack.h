// From the shardings of a ProgramGraph to attributes in the module.
#pragma once

#include "spmd/passes/propagate/Engine.h"
#include "spmd/passes/propagate/Origins.h"
#include "spmd/passes/propagate/ProgramGraph.h"

namespace spmd {

/// Writes the sharding of every value that has one as `sdy.sharding`, inferred ones marked.
/// Functions that are called with different shardings are cloned, once for each distinct use; calls
/// follow.
///
/// Values that are wanted whole, or are free, get a sharding with all dims open; with
/// `replicateMissing` so do values that nothing reached. With `origins`, values also get where
/// their axes come from.
void writeBack(ProgramGraph &program, llvm::ArrayRef<Knowledge> knowledge, bool replicateMissing,
               Origins *origins = nullptr);

} // namespace spmd
