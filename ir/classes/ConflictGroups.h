// Conflict groups: the tensors that one axis could split in more than one way, found together.
//
// With batch and a table's hidden dim both on "data", every activation [batch, hidden] could go
// either way, and what is right for one is right for all that are connected. A tensor belongs to a
// group of an axis if two of its dims are in classes that want the axis, or if one is and the axis
// does not split it yet, or does so in another order with others than the class wants, or, whatever
// it does, where the class leaves half of the devices idle. Tensors are connected by ops whose
// factors tie such dims.
//
// Inside a group dims get *labels*: local classes, of which two dims of one tensor never have the
// same. (The sequence of queries and that of keys are one class in the program, two labels here.)
//
// Groups that look alike, as those of a model's layers do, have the same signature: the same
// tensors, ops and surroundings in the same order.
#pragma once

#include "spmd/ir/classes/DimClasses.h"
#include "spmd/ir/graph/KeyNumbers.h"

namespace spmd {

/// A dim that a group's axis could split.
struct LabelledDim {
  int32_t dim : 24;
  int32_t label : 8;
};

/// One tensor of a group, with at least one dim.
struct GroupMember {
  int32_t value;
  absl::Span<const LabelledDim> dims;
};

struct ConflictGroup {
  int32_t mesh;
  int32_t axis; ///< Number of the mesh axis.
  int32_t numLabels;
  bool hasOrders; ///< Whether a class of its labels wants its axes in one of two orders.
  int32_t firstMember, numMembers; ///< In the list of the ConflictGroups.
  double bytes;                    ///< Of all members, whole.
  size_t signature;
};

/// Groups and, in flat memory, their members: a program may have as many as values.
class ConflictGroups {
public:
  size_t size() const { return groups.size(); }
  bool empty() const { return groups.empty(); }
  const ConflictGroup &operator[](size_t index) const { return groups[index]; }

  /// Returns member `index` of a group, in the order in which a walk from the first found them.
  GroupMember member(const ConflictGroup &group, int32_t index) const {
    return {values[group.firstMember + index], dimsOf(patternOf(group, index))};
  }
  int32_t valueOf(const ConflictGroup &group, int32_t index) const {
    return values[group.firstMember + index];
  }
  /// Returns a number that is equal for members whose dims are the same, with the same labels, and
  /// in classes that want the same axes.
  int32_t patternOf(const ConflictGroup &group, int32_t index) const {
    return patterns[group.firstMember + index];
  }

private:
  friend class GroupFinder;

  absl::Span<const LabelledDim> dimsOf(int32_t pattern) const {
    return absl::MakeConstSpan(dims).subspan(firstDims[pattern],
                                             firstDims[pattern + 1] - firstDims[pattern]);
  }

  std::vector<ConflictGroup> groups;
  std::vector<int32_t> values, patterns; ///< Of the members of all groups.
  std::vector<int32_t> firstDims = {0};  ///< By pattern, and one more: where its dims begin.
  std::vector<LabelledDim> dims;         ///< Of patterns.
};

/// Returns the groups of all axes, by axis, then in program order of their first members. Only
/// values that are not pinned, and not free, are members; of two classes that want an axis with
/// different user priorities only the one of the higher counts. With `withContent`, so are values
/// that have what a class wants in one of two orders. Linear in the graph.
ConflictGroups findConflictGroups(const ShardGraph &graph, const DimClasses &classes,
                                  const std::vector<bool> &isFree, const ValueUses &uses,
                                  bool withContent = false);

} // namespace spmd
