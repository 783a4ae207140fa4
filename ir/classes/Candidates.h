// The ways to split a conflict group along its axis, and how its members lie under each.
#pragma once

#include "spmd/ir/classes/ConflictGroups.h"
#include "spmd/ir/classes/PlanCost.h"

namespace spmd {

/// A way to split the members of a group: along the first label that a member has and that fits;
/// members without one not at all, or, with `keepsOthers`, as they are.
struct Candidate {
  absl::InlinedVector<int32_t, 4> labels;
  bool keepsOthers = false;
  bool keepsUnfit = false;   ///< Members too small for their labels stay as they are, too.
  bool inOtherOrder = false; ///< Of the axes that a class wants, if it has two.
};

/// Returns the candidates for a group of so many labels: each first, the others as fallback in
/// order; that label only; that label, the others as they are; and last, no split at all. With
/// `hasOrders`, those that split once more in the other order.
std::vector<Candidate> candidatesOf(int32_t numLabels, bool hasOrders);

/// How one member lies under a candidate, by number in the graph and in PlanCost.
struct Target {
  int32_t sharding, layout;
};

/// Targets for the members of groups, computed once for all members alike.
class Targets {
public:
  Targets(ShardGraph &graph, const DimClasses &classes, PlanCost &cost)
      : graph(graph), classes(classes), cost(cost) {}

  /// Turns to a group, whose members may have changed since the last time. Both must stay.
  void start(const ConflictGroups &groups, const ConflictGroup &group);

  /// Looks at a candidate. Returns false if all members lie as under one looked at since `start`,
  /// or as they do now.
  bool choose(const Candidate &candidate);

  /// Turns to another group of the same axis, to look at the same candidate as last; profiles that
  /// are known already are not computed again.
  void goOn(const ConflictGroup &group, const Candidate &candidate);

  /// Returns the profile of member `index`: members of one lie alike under each candidate.
  int32_t profile(size_t index) const { return profiles[index]; }
  /// Returns how members of a profile lie under the candidate looked at last.
  const Target &ofProfile(int32_t profile) const { return chosen[profile]; }

  /// Returns how member `index` of the group lies under the candidate looked at last, or now.
  const Target &of(size_t index) const { return chosen[profiles[index]]; }
  const Target &now(size_t index) const { return current[profiles[index]]; }

private:
  void addProfiles(const ConflictGroup &group);
  absl::Span<const WantedAxis> orderOf(const GroupMember &member, int32_t dim,
                                       const Candidate &candidate) const;
  Target targetOf(const GroupMember &member, const Candidate &candidate, const Target &now);

  ShardGraph &graph;
  const DimClasses &classes;
  PlanCost &cost;
  const ConflictGroups *groups = nullptr;
  const ConflictGroup *group = nullptr;
  std::vector<int32_t> profiles;     ///< By member: what decides how it lies.
  std::vector<GroupMember> examples; ///< By profile.
  std::vector<Target> current, chosen;
  std::vector<std::vector<int32_t>> seen; ///< Layouts by profile, of the candidates so far.
  KeyNumbers profileNumbers;
  std::vector<int32_t> key;
};

} // namespace spmd
