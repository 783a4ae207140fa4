// Rules that are assumed of custom calls that nobody has a rule of (`on-no-rule=infer-from-users`).
//
//     %y = custom_call @f(%x, %w)        whoever uses %y wants its rows split
//
// What the users want split of a result, each device is taken to make of the same part of the
// operands: of dims at the same place and of the same size. That may be false, so such calls are
// marked, and reported where they run on parts.
#pragma once

#include "mlir/IR/BuiltinOps.h"

namespace spmd {

/// On a call, a unit: its `spmd.rule` is assumed.
inline constexpr llvm::StringLiteral assumedRuleAttrName = "spmd.assumed_rule";

/// The dims of results that users want split: place and size.
using WantedDims = llvm::SmallVector<std::pair<size_t, int64_t>, 2>;

/// Returns the calls of `module` that nobody has a rule of, and that have results, static shapes
/// and no side effects.
std::vector<mlir::Operation *> callsWithoutRule(mlir::ModuleOp module);

/// Returns the dims of the results of `call` that their shardings split.
WantedDims dimsSplit(mlir::Operation *call);

/// Gives `calls`, of which users want to be split what `wanted` says of each, a rule under which
/// they are, and the same to those among them that make the operands of such a call. A dim is
/// split that all results have and some operand has, unless another operand of as many dims has
/// another size there. Returns how many calls got a rule; those without such a dim get none.
size_t assumeRules(llvm::ArrayRef<mlir::Operation *> calls, llvm::ArrayRef<WantedDims> wanted);

} // namespace spmd
