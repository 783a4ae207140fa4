// docs/ops.md: what the strategies say of each op, worked out on examples.
#pragma once

#include "mlir/IR/BuiltinOps.h"

#include <optional>
#include <string>

namespace spmd {

/// Returns a document in Markdown with the rules of all ops of StableHLO and chlo, one row for each
/// strategy of each example in `examples`, in alphabetical order of ops. Nothing, after a
/// diagnostic on each, if there are ops with rules that have no example.
std::optional<std::string> opTable(mlir::ModuleOp examples);

} // namespace spmd
