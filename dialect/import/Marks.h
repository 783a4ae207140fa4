// Calls of @Sharding, and those of them that mark a tensor in place.
#pragma once

#include "spmd/dialect/sdy/Dialect.h"
#include "spmd/dialect/stablehlo/Dialect.h"

#include "mlir/IR/BuiltinOps.h"

namespace spmd {

/// Returns how messages call the instruction: by the name that its location has, if any.
std::string nameOf(stablehlo::CustomCallOp call);

/// Warns of a call that says nothing. Where its sharding went to a view behind it, as it did in
/// frameworks that mark whatever shows a value last, the view is named.
void warnOfBareMark(stablehlo::CustomCallOp call);

/// Returns whether the calls of @Sharding in `module` may be marks: the name of the module says
/// that PyTorch/XLA traced it, where `mark_sharding` puts one on a tensor in place. A second mark
/// on a tensor is then a call behind the first, and takes its place without a word. (In JAX, whose
/// constraints are functions, one behind the other means that data moves, first here and then
/// there.)
bool hasMarksInPlace(mlir::ModuleOp module);

/// Reports each of `calls`, which are marks, on an intermediate that is marked otherwise before and
/// that nothing else reads in between. Fails if any contradict each other. Where one only splits
/// further than the other, it warns: so come marks of modules' outputs, and those of what
/// `mark_sharding_with_gradients` returns, a copy of which nothing is seen. `saidBy` returns what a
/// call says, and null for one that says nothing. What stands at the border of a manual region is
/// no mark. What is returned may be a parameter that the tensor was copied to, with the parameter's
/// own mark.
mlir::LogicalResult
checkMarks(llvm::ArrayRef<stablehlo::CustomCallOp> calls,
           llvm::function_ref<sdy::ShardingAttr(stablehlo::CustomCallOp)> saidBy);

} // namespace spmd
