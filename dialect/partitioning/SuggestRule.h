// A rule to begin with, for ops that nobody has a rule of: what messages tell the user to write.
#pragma once

#include "spmd/ir/rules/OpRule.h"

#include "mlir/IR/Operation.h"

namespace spmd {

/// Returns a rule that is true of ops that treat each entry of a batch alike, as most do: the first
/// dim of all results may be split, with those of operands that are as long; no other dim. Dims of
/// one place and size have one factor, so that a user needs only take letters out of
/// need_replication. Requires static shapes.
OpRule suggestedRule(mlir::Operation *op);

/// Returns a rule in which dims of one place and size have one factor, which passes where `mayPass`
/// says so of place and size, and else is whole. Dims of one row have none.
OpRule ruleByPlaces(mlir::Operation *op, llvm::function_ref<bool(size_t, int64_t)> mayPass);

/// Whether `op` is a custom call, and all its operands and results are tensors of static shape.
bool isStaticCustomCall(mlir::Operation *op);

/// Returns the text of a rule without its sizes, which are those of each call.
std::string textWithoutSizes(const OpRule &rule);

/// Returns the entry of a plan: `rule { target: "f" rule: ".." }`.
std::string planRule(llvm::StringRef target, llvm::StringRef text);

/// Returns the entry of a plan with that rule: `rule { target: "f" rule: ".." }`, without sizes.
/// Empty if `op` is no custom call or has values that are no tensors of static shape.
std::string suggestedPlanRule(mlir::Operation *op);

/// Returns what a user is to do with that entry, if it is not empty.
std::string adviceOnSuggestedRule(mlir::Operation *op);

} // namespace spmd
