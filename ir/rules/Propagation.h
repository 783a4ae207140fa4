// The one-op propagation step: tensors of an op let each other share the axes they agree on.
//
// Example, dot_general ([i, k], [k, j]) -> ([i, j]) over a mesh with axes "x" and "y":
//
//     lhs [{"x"}, {?}]   rhs [{?}, {"y"}]   result [{?}, {?}]
//  -> lhs [{"x"}, {?}]   rhs [{?}, {"y"}]   result [{"x", ?}, {"y", ?}]
//
// A conflict inside a factor (one tensor has "x" along it, another "y") goes to the larger tensor,
// and the other keeps what it has. A conflict between factors (two factors want "x" in one tensor)
// goes to the factor whose axes come from the larger tensor. Ties go to the earlier tensor, then
// the earlier factor. Follows Shardy's aggressive propagation with sizes in bytes.
#pragma once

#include "spmd/ir/rules/Projection.h"

namespace spmd {

/// Which tensors may learn from which.
struct StepScope {
  bool forward = true;  ///< Results learn.
  bool backward = true; ///< Operands learn.
  /// Only along factors of kind pass.
  bool onlyPass = false;
};

/// Lets the tensors of an op, operands first, learn axes from each other. Pinned dims are closed,
/// and never change. `bytes` holds the size of each whole tensor. Returns whether any sharding
/// grew.
///
/// Axes are only ever appended to open dims. Requires shardings of the rule's ranks, on one mesh.
bool propagateStep(const OpRule &rule, absl::Span<Sharding> tensors, absl::Span<const double> bytes,
                   const StepScope &scope = {});

/// Returns whether every tensor with dims has the same factors: elementwise ops, transpose,
/// reshape.
bool isLight(const OpRule &rule);

/// Returns whether results have factors that no operand has: broadcasts.
bool isBroadcast(const OpRule &rule);

} // namespace spmd
