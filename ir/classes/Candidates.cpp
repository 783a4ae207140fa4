#include "spmd/ir/classes/Candidates.h"

#include <algorithm>

namespace spmd {

constexpr int32_t none = ShardGraph::none;

/// With more labels than this, only the first of an order is tried.
constexpr int32_t maxLabelsInPairs = 4;

std::vector<Candidate> candidatesOf(int32_t numLabels, bool hasOrders) {
  std::vector<Candidate> candidates;
  auto startingWith = [&](absl::InlinedVector<int32_t, 4> labels) {
    for (int32_t label = 0; label < numLabels; ++label)
      if (std::find(labels.begin(), labels.end(), label) == labels.end())
        labels.push_back(label);
    candidates.push_back({std::move(labels)});
  };
  for (int32_t first = 0; first < numLabels; ++first) {
    startingWith({first});
    for (int32_t second = 0; numLabels <= maxLabelsInPairs && second < numLabels; ++second)
      if (second != first)
        startingWith({first, second});
    candidates.push_back({{first}, /*keepsOthers=*/true});
    candidates.push_back({{first}});
  }
  for (size_t i = 0, count = hasOrders ? candidates.size() : 0; i < count; ++i) {
    candidates.push_back(candidates[i]);
    candidates.back().inOtherOrder = true;
  }
  candidates.push_back({});
  return candidates;
}

void Targets::start(const ConflictGroups &all, const ConflictGroup &first) {
  groups = &all;
  profileNumbers.clear();
  examples.clear();
  current.clear();
  addProfiles(first);
  chosen = current;
  seen.assign(1, {});
  for (const Target &target : current)
    seen.front().push_back(target.layout);
}

void Targets::goOn(const ConflictGroup &next, const Candidate &candidate) {
  addProfiles(next);
  while (chosen.size() < examples.size())
    chosen.push_back(targetOf(examples[chosen.size()], candidate, current[chosen.size()]));
}

/// Turns to the profiles of the members of `next`.
void Targets::addProfiles(const ConflictGroup &next) {
  group = &next;
  profiles.clear();
  profiles.reserve(group->numMembers);
  for (int32_t m = 0; m < group->numMembers; ++m) {
    const ShardGraph::Value &value = graph.value(groups->valueOf(*group, m));
    auto [profile, isNew] =
        profileNumbers.number({value.sharding, value.shape, groups->patternOf(*group, m)});
    if (isNew) {
      examples.push_back(groups->member(*group, m));
      current.push_back({value.sharding, cost.layoutOf(examples.back().value)});
    }
    profiles.push_back(profile);
  }
}

bool Targets::choose(const Candidate &candidate) {
  key.clear();
  for (size_t p = 0; p < examples.size(); ++p) {
    chosen[p] = targetOf(examples[p], candidate, current[p]);
    key.push_back(chosen[p].layout);
  }
  if (std::find(seen.begin(), seen.end(), key) != seen.end())
    return false;
  seen.push_back(key);
  return true;
}

/// Whether a dim may be cut into so many shards, where nobody asked for just that: it divides, or
/// at most a fifth of what devices hold is padding.
static bool fits(int64_t size, int64_t shards) {
  int64_t held = (size + shards - 1) / shards * shards;
  return (held - size) * 5 <= held;
}

/// Adds to a dim what its class wants of `axis`, in the order of the class's axes, which is
/// `order`. Returns false if it is too small for that.
static bool split(DimSharding &dim, int64_t size, absl::Span<const WantedAxis> order,
                  int32_t axis) {
  AxisList before = dim.axes, own = std::move(dim.axes);
  dim.axes.clear();
  for (const WantedAxis &wanted : order) {
    auto held = std::find(own.begin(), own.end(), wanted.axis);
    if (held == own.end() && wanted.axis.axis != axis)
      continue;
    appendMerged(dim.axes, wanted.axis);
    if (held != own.end())
      own.erase(held);
  }
  for (const AxisRef &ref : own)
    appendMerged(dim.axes, ref);
  if (fits(size, sizeOf(dim.axes)))
    return true;
  dim.axes = std::move(before);
  return false;
}

/// Takes all parts of an axis out of a list; what it stood between may become one. Returns whether
/// there were any.
static bool eraseAxis(AxisList &axes, int32_t axis) {
  AxisList left;
  bool found = false;
  for (const AxisRef &ref : axes)
    if (ref.axis == axis)
      found = true;
    else
      appendMerged(left, ref);
  axes = std::move(left);
  return found;
}

/// Returns the axes that the class of a dim wants, in the order that a candidate has them in.
absl::Span<const WantedAxis> Targets::orderOf(const GroupMember &member, int32_t dim,
                                              const Candidate &candidate) const {
  const Want &want = *classes.wantOf(classes.classOf(member.value, dim));
  return candidate.inOtherOrder && want.hasOrders() ? want.otherwise : want.axes;
}

Target Targets::targetOf(const GroupMember &member, const Candidate &candidate, const Target &now) {
  if (now.sharding != none && graph.sharding(now.sharding).mesh != group->mesh)
    return now; // Another decision took it to another mesh.
  const ShardGraph::Shape &shape = graph.shape(graph.value(member.value).shape);
  MeshSharding target =
      now.sharding == none
          ? MeshSharding{group->mesh, Sharding::replicatedOf(shape.size(), /*open=*/true)}
          : graph.sharding(now.sharding);
  bool held = false;
  for (DimSharding &dim : target.sharding.dims)
    held |= eraseAxis(dim.axes, group->axis);
  held |= eraseAxis(target.sharding.replicated, group->axis);
  auto finish = [&] {
    int32_t layout = cost.intern({target.mesh, target.sharding.layout()});
    return layout == now.layout ? now : Target{graph.internSharding(target), layout};
  };
  for (int32_t label : candidate.labels)
    for (const LabelledDim &dim : member.dims)
      if (dim.label == label && split(target.sharding.dims[dim.dim], shape[dim.dim],
                                      orderOf(member, dim.dim, candidate), group->axis))
        return finish();
  if (candidate.keepsOthers)
    return now;
  if (held) {
    AxisList &reserved = target.sharding.replicated;
    reserved.push_back(wholeAxis(graph.mesh(group->mesh), group->axis));
    std::sort(reserved.begin(), reserved.end());
  }
  return finish();
}

} // namespace spmd
