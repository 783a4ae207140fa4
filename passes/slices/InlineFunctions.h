// Writes short functions where they are called.
#pragma once

#include "mlir/IR/BuiltinOps.h"

namespace spmd {

/// Replaces each call of a short private function without regions, `rng` and memory (a roll, say)
/// by what it does, and drops such functions that nobody names any more: a function splits its
/// arguments in one way for all who call it, and what moves can be told only with what comes before
/// and behind. Functions and calls that say how something is split stay. A call adds a few ops at
/// most; one that is the only one of its function adds none.
void inlineFunctions(mlir::ModuleOp module);

} // namespace spmd
