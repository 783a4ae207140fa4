// The members of sharding groups, as a walk over the module meets them.
#pragma once

#include "spmd/passes/propagate/ProgramGraph.h"

namespace spmd {

/// Collects the members of sharding groups. Those of one function and manual region are tied where
/// the function ends; what has members in several functions is noted for when there are instances.
class ShardingGroups {
public:
  explicit ShardingGroups(ProgramGraph &program) : program(program) {}

  /// Returns the group that an op adds its operand to, if it is of that kind.
  static std::optional<uint64_t> groupOf(mlir::Operation *op);

  /// Adds the operand of `op`, which is `tensor` of the last body, to a group. Members lie alike
  /// dim by dim: fails, after a diagnostic, if they are of several ranks. Warns of groups on both
  /// sides of the border of a manual region.
  mlir::LogicalResult add(mlir::Operation *op, uint64_t group, int32_t tensor, int32_t region);

  /// Returns the members of each group of the last body that has several, in ascending order.
  std::vector<std::vector<int32_t>> endBody();

private:
  /// Where members are tied: the body and its manual region, all functions outside of these.
  using Place = std::pair<int32_t, int32_t>;
  struct First {
    mlir::Operation *op;
    Place place;
  };
  void warnOfBorder(mlir::Operation *op, uint64_t group, Place place);

  ProgramGraph &program;
  std::map<std::pair<uint64_t, Place>, mlir::Operation *> firstAt;
  std::map<uint64_t, First> firstOf; ///< Each group's, wherever it is.
  llvm::DenseSet<uint64_t> warnedOf;
  std::map<std::pair<uint64_t, int32_t>, std::vector<int32_t>> members; ///< Of the last body.
};

} // namespace spmd
