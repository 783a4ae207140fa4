// From what several entries want of one tensor to one sharding, or to what contradicts.
#pragma once

#include "spmd/passes/plan/Statements.h"

namespace spmd {

/// Two wishes for one tensor that cannot both hold, neither of which comes before the other.
struct Contradiction {
  const PlanEntry *first, *second;
  std::string firstText, secondText; ///< What each alone would make of the tensor.
};

/// Joins what entries want of a tensor of shape `shape`.
///
/// The lower priority comes first, then complete shardings, then styles that name a dim, then those
/// that take what is free, and the order of the plan. What comes later adds its axes: to the dim it
/// names, which may have others already (in front), or to the largest dim without any. A wish that
/// does not go with one before it is dropped if its priority is a higher number, else returned as
/// contradiction. A priority that is not 0 is written to the dims.
class WishJoiner {
public:
  WishJoiner(const Mesh &mesh, llvm::ArrayRef<int64_t> shape);

  std::optional<Contradiction> join(std::vector<Wish> wishes);
  /// After `join`: the sharding.
  const ShardingSpec &sharding() const { return result; }

private:
  std::string alone(const Wish &wish) const;
  const Wish *add(const Wish &wish);
  const Wish *addToDim(const Wish &wish, int64_t dim);
  std::optional<int64_t> freeDim(const Wish &wish) const;
  const Wish *userOf(llvm::ArrayRef<AxisSpec> axes) const;
  bool overlap(llvm::ArrayRef<AxisSpec> a, llvm::ArrayRef<AxisSpec> b) const;
  void setPriority(DimSpec &dim, const Wish &wish) const;

  const Mesh &mesh;
  llvm::ArrayRef<int64_t> shape;
  ShardingSpec result;
  std::vector<const Wish *> added;
  const Wish *complete = nullptr;
};

} // namespace spmd
