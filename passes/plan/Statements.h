// What the statements of a plan mean for one tensor.
#pragma once

#include "spmd/passes/plan/ParameterUses.h"
#include "spmd/passes/plan/Targets.h"

namespace spmd {

/// What an entry wants of a tensor: a sharding, or axes on one dim of it.
struct Wish {
  const PlanEntry *entry = nullptr;
  /// Complete. The fields below are for wishes that are not.
  std::optional<ShardingSpec> sharding;
  std::vector<AxisSpec> axes;
  /// Where they go; none for nowhere: the tensor is whole over them.
  std::optional<int64_t> dim;
  /// They go to the largest dim that is free, instead.
  bool takesLargest = false;
  std::vector<AxisSpec> replicated;
  /// Dims that nobody speaks of are closed, else open.
  bool closes = false;
};

/// What statements ask about besides the tensor.
struct PlanContext {
  const Mesh *mesh;
  /// By argument of the entry function; made when a style first asks for it.
  std::function<const std::vector<ParameterUse> &()> uses;
};

/// Returns what `claim` wants of `target`. InvalidArgument if it does not fit: the rank differs,
/// the tensor has no such dim, the program does nothing with it that the style speaks of.
absl::StatusOr<Wish> wishOf(const PlanClaim &claim, const PlanTarget &target,
                            const PlanContext &context);

/// Returns every axis that `entry` names.
std::vector<AxisSpec> axesOf(const PlanEntry &entry);

} // namespace spmd
