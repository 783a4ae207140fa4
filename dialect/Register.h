// The dialects a tool or an embedding program needs to read what this compiler reads.
#pragma once

#include "mlir/IR/DialectRegistry.h"

namespace spmd {

/// Adds all dialects of this project, and those of MLIR that programs use with them. A context made
/// with `registry` has the dialects of this project loaded, so that attributes, types and ops can
/// be made in it at once.
void registerDialects(mlir::DialectRegistry &registry);

} // namespace spmd
