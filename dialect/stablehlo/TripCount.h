// How often a loop turns, where its text says so.
#pragma once

#include "spmd/dialect/stablehlo/Dialect.h"

#include <optional>

namespace spmd {

/// Returns how often the body of `loop` runs if it counts: an integer carry that begins at a
/// constant, moves by a constant in every turn, and is compared with a constant. Constants may be
/// carried along unchanged or come from outside. Nothing if the loop is another, or never ends.
/// `origin` returns the value that another one is, maybe at another place: itself, as a rule.
std::optional<int64_t> tripCountOf(
    stablehlo::WhileOp loop,
    llvm::function_ref<mlir::Value(mlir::Value)> origin = [](mlir::Value value) { return value; });

} // namespace spmd
