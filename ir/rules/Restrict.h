// A rule that a user wrote on an op that has one of its own: what it forbids.
//
//     own     ([i, k], [k, j])->([i, j]) {i=8, j=6, k=4} reduction={k}
//     user's  ([i, k], [k, j])->([i, j]) {i=8, j=6, k=4} need_replication={k}
//     blocked_propagation={j}
//
//     i is split as ever, k stays whole, and j, which may be split, hands no axes on
//
// How the op is split along what is left is known from its own rule: a user's cannot say that a
// window takes rows of neighbours, or how far a slice is cut.
#pragma once

#include "spmd/ir/rules/OpRule.h"

namespace spmd {

/// Takes from `own` what `user` does not allow; both are of one op. Where dims that share a factor
/// of `own` share none of `user`, nothing passes along it; where the user's must stay whole, it is
/// whole; where the user's is blocked, it is blocked. A factor that anything is taken from is the
/// user's (`custom`); the others are as they were.
void restrictTo(OpRule &own, const OpRule &user);

} // namespace spmd
