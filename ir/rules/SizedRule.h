// Rules of custom calls without the sizes of their factors, which each call brings along.
//
//     ([i, j], [j, k])->([i, k]) reduction={j}     a 4x8 by an 8x2: {i=4, j=8, k=2}
#pragma once

#include "spmd/ir/rules/OpRule.h"

#include <string_view>

namespace spmd {

/// Returns whether `text` is a rule, with sizes or without. InvalidArgument with line and column if
/// not.
absl::Status checkRuleText(std::string_view text);

/// Returns the rule `text` for tensors of these shapes.
///
/// A factor gets the size of a dim that it has alone, or what the other factors of its dim leave.
/// InvalidArgument, naming the factor or tensor, if that leaves a size open or the rule does not
/// fit (see `verify`).
absl::StatusOr<OpRule> sizedRule(std::string_view text,
                                 absl::Span<const std::vector<int64_t>> operandShapes,
                                 absl::Span<const std::vector<int64_t>> resultShapes);

} // namespace spmd
