// Small forms of an op with a rule that its user wrote: what is true of a few rows is true of many.
#pragma once

#include "spmd/ir/rules/OpRule.h"
#include "spmd/ir/sharding/Mesh.h"

#include "mlir/IR/Operation.h"

#include <vector>

namespace spmd {

/// Types of all operands, then results, and the rule with its sizes for these.
struct SizedOp {
  llvm::SmallVector<mlir::Type> types;
  OpRule rule;
};

/// Returns how many elements all tensors of `op` have.
double numElements(mlir::Operation *op);

/// Returns the factors of `rule` that are split only where the devices divide them: those of dims
/// of several factors.
std::vector<bool> evenFactors(const OpRule &rule);

/// Returns whether there is a factor that `isEven` marks, of several rows, that no axis of `meshes`
/// divides: it is never split as it is.
bool isAnyNeverSplit(const OpRule &rule, const std::vector<bool> &isEven,
                     absl::Span<const Mesh> meshes);

/// Returns the form with large factors cut to a few rows, unequal and mostly uneven; of those that
/// `isEven` marks, and that no axis of `meshes` divides, to as many as all of them divide. Nothing
/// if there is no such factor, or `op` cannot be so.
std::optional<SizedOp> smallForm(mlir::Operation *op, const OpRule &rule,
                                 const std::vector<bool> &isEven, absl::Span<const Mesh> meshes);

/// Returns `op` as it is.
SizedOp ownForm(mlir::Operation *op, const OpRule &rule);

} // namespace spmd
