// Writes functions that only move elements where they are called.
#pragma once

#include "mlir/IR/BuiltinOps.h"

namespace spmd {

/// Replaces each call of a short private function that does nothing but cut, pad and join (a roll,
/// say) by what it does, and drops such functions that nobody names any more: what is moved can be
/// told only with what comes before and behind. Functions and calls that say how something is split
/// stay.
void inlineMoves(mlir::ModuleOp module);

} // namespace spmd
