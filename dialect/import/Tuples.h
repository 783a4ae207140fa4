// The parts of tuples become values of their own, which can lie each as it likes.
#pragma once

#include "mlir/IR/BuiltinOps.h"

namespace spmd {

/// Lets functions, calls, loops, branches and barriers take and give the parts of tuples, in order,
/// tuples in tuples included. What `mhlo.sharding` says of a tuple goes to its parts; a donation
/// names its result by its new number. Tuples stay where something else asks for them: operands of
/// custom calls, asynchronous work, functions that something else than a call names. Warns of a
/// `sdy.sharding` on a tuple. Linear.
void flattenTuples(mlir::ModuleOp module);

} // namespace spmd
