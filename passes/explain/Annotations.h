// What the program says of a value itself, in other words: lines that take the place of
// annotations.
#pragma once

#include "spmd/passes/explain/Places.h"

namespace spmd {

/// Returns what stands in the place of the annotation of `value` and says `sharding`; empty if it
/// has none of its own, or one that is no attribute of Shardy's. What it says follows from what it
/// is:
///
///     %1 = sdy.sharding_constraint %0 <..> : ..   a constraint or reshard, said otherwise
///     %1 = sdy.reshard %0 <..> : ..               a collective, which leads to one sharding alone
///     out_shardings=[<..>, <..>] at %1            a computation, with what it says of its others
///     {sdy.sharding = ..} at %1                   any other op
///
/// Changes `value` for a while.
std::string lineOfAnnotation(Places &places, mlir::Value value, sdy::ShardingAttr sharding);

/// Returns `{sdy.sharding = ..} at %1`, which pins the result of an op that has no annotation yet;
/// empty where the program is not written so. Changes `value` for a while.
std::string lineThatPins(mlir::Value value, sdy::ShardingAttr sharding);

/// A collective that starts from how an annotation lies, and what takes its place if that changes.
struct Follower {
  mlir::Operation *op;
  std::string line;
};

/// Returns the collectives that take `value`. Each begins at one sharding alone.
std::vector<Follower> followersOf(Places &places, mlir::Value value);

} // namespace spmd
