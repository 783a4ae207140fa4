// Small forms of an op with a rule that its user wrote: what is true of a few rows is true of many.
#pragma once

#include "spmd/ir/rules/OpRule.h"

#include "mlir/IR/Operation.h"

#include <vector>

namespace spmd {

/// Types of all operands, then results, and the rule with its sizes for these.
struct SizedOp {
  llvm::SmallVector<mlir::Type> types;
  OpRule rule;
};

/// Returns whether `op` is small enough to be run as it is in every way that it can be split.
bool isSmall(mlir::Operation *op);

/// Returns the forms to try, the smaller first: one with large factors cut to a few rows, unequal
/// and mostly uneven, if there is a factor so large; and the op as it is, if it is small.
std::vector<SizedOp> smallForms(mlir::Operation *op, const OpRule &rule);

} // namespace spmd
