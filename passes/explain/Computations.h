// Named computations in the place of their ops, with what their values are called.
#pragma once

#include "spmd/passes/explain/Places.h"

namespace spmd {

/// Inlines the named computations of `module`. What stands for an argument or result of one has its
/// names, too; of what it says of these, `borders` keeps how.
void inlineWithNames(mlir::ModuleOp module,
                     llvm::DenseMap<mlir::Operation *, Places::Border> &borders);

} // namespace spmd
