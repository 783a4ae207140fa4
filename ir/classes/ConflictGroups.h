// Conflict groups: the tensors that one axis could split in more than one way, found together.
//
// With batch and a table's hidden dim both on "data", every activation [batch, hidden] could go
// either way, and what is right for one is right for all that are connected. A tensor belongs to a
// group of an axis if two of its dims are in classes that want the axis, or if one is and the axis
// does not split it yet. Tensors are connected by ops whose factors tie such dims.
//
// Inside a group dims get *labels*: local classes, of which two dims of one tensor never have the
// same. (The sequence of queries and that of keys are one class in the program, two labels here.)
//
// Groups that look alike, as those of a model's layers do, have the same signature: the same
// tensors, ops and surroundings in the same order.
#pragma once

#include "spmd/ir/classes/DimClasses.h"

namespace spmd {

/// A dim that a group's axis could split.
struct LabelledDim {
  int32_t dim;
  int32_t label;
  int32_t dimClass;
};

/// One tensor of a group, with at least one dim.
struct GroupMember {
  int32_t value;
  absl::InlinedVector<LabelledDim, 2> dims;
};

struct ConflictGroup {
  int32_t mesh;
  int32_t axis; ///< Number of the mesh axis.
  int32_t numLabels;
  std::vector<GroupMember> members; ///< In the order in which a walk from the first found them.
  double bytes;                     ///< Of all members, whole.
  size_t signature;
};

/// Returns the groups of all axes, by axis, then in program order of their first members. Only
/// values that are not pinned, and not free, are members; of two classes that want an axis with
/// different user priorities only the one of the higher counts. Linear in the graph.
std::vector<ConflictGroup> findConflictGroups(const ShardGraph &graph, const DimClasses &classes,
                                              const std::vector<bool> &isFree,
                                              const ValueUses &uses);

} // namespace spmd
