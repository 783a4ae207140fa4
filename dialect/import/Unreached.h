// Private functions that nothing calls.
#pragma once

#include "mlir/IR/BuiltinOps.h"

namespace spmd {

/// Erases the functions of `module` that no public one reaches, by calls or by name, if any of them
/// has a sharding: it would have a say in how many devices the program has. Does nothing in a
/// module without public functions. Linear; free if no function is private.
void eraseUnreachedFunctions(mlir::ModuleOp module);

} // namespace spmd
