// What a rule that a user wrote says beyond what is known of the op.
//
//     known   ([i, j])->([i, j]) {i=8, j=6}        an elementwise op
//     user's  ([i, j])->([j, i]) {i=8, j=6}        claims that rows of the one are columns of the
//     other user's  ([i, j])->([i, j]) {..} need_replication={i}      claims nothing: it takes
//     something away
//
// What is claimed has to be tried (passes/verify/rules); what is taken away is taken (Restrict.h).
#pragma once

#include "spmd/ir/rules/Strategy.h"

#include <optional>

namespace spmd {

/// Returns `user` with all factors whole that claim nothing: those along which dims belong together
/// in one of `known` too, whatever their kind there, and those that `user` does not let be split.
/// Nothing if no factor is left.
///
/// That a factor is summed says no more than that no result has it: the op knows what its shares
/// become. All rules are of one op. Sizes may differ where a dim has one factor (a slice).
std::optional<OpRule> claimsBeyond(const OpRule &user, absl::Span<const Strategy> known);

} // namespace spmd
