// A rule cut into parts that have nothing to do with each other.
//
//     optimization_barrier ([i, j], [k]) -> ([i, j], [k])
//
// has two, ([i, j]) -> ([i, j]) and ([k]) -> ([k]). Each is decided alone, so that an axis may
// split both, and so that thousands of operands cost no more than as many ops.
#pragma once

#include "spmd/ir/rules/OpRule.h"

#include "absl/functional/function_ref.h"

namespace spmd {

/// Some of an op's tensors, and what its rule says of them.
struct RulePart {
  OpRule rule;
  /// Which operands, results and factors of the whole rule the part's are, in ascending order.
  std::vector<int32_t> operands, results, factors;
  int32_t numParts = 1; ///< Of the whole rule.
};

/// Returns the parts of `rule`, in the order of their first tensors; one if it cannot be cut.
///
/// Tensors that share a factor are in one part. So are all results where there is a reduce factor,
/// with the operands that have one: every result is partial over all of them. Tensors without
/// factors are in the first part. Linear in the size of the rule.
std::vector<RulePart> partsOf(const OpRule &rule);

/// Whether partsOf(rule) is one part, the rule itself; that of most rules is. Copies nothing.
bool isOnePart(const OpRule &rule);

/// Calls `visit` for each of partsOf(rule) in turn. Only one is held at a time: those of thousands
/// of operands take far more memory than the rule.
void forEachPart(const OpRule &rule, absl::FunctionRef<void(RulePart)> visit);

} // namespace spmd
