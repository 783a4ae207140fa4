#include "spmd/ir/classes/Candidates.h"

#include "spmd/ir/sharding/Excluding.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

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

/// Returns the major part of `wanted`, of at most `most` positions, that goes with what other dims
/// have taken of the axis, if there is one.
static std::optional<AxisRef> leftOf(AxisRef wanted, const AxisList &taken, int32_t most) {
  for (const AxisRef &ref : taken)
    if (ref.preSize > wanted.preSize && ref.preSize < wanted.end())
      wanted.size = ref.preSize / wanted.preSize;
  for (int32_t size = wanted.size; wanted.size > most; --size)
    if (wanted.size % size == 0 && size <= most)
      wanted.size = size;
  return wanted.size < 2 || exclude(wanted, taken) ? std::nullopt : std::optional(wanted);
}

/// Adds to a dim what its class wants of `axis` and other dims have not `taken`, parts of at most
/// `most` positions, in the order of the class's axes, which is `order`. Returns the largest part,
/// 0 if there is none.
static int32_t add(DimSharding &dim, absl::Span<const WantedAxis> order, int32_t axis,
                   const AxisList &taken, int32_t most) {
  AxisList own = std::exchange(dim.axes, {});
  int32_t largest = 0;
  for (const WantedAxis &wanted : order) {
    if (auto held = std::find(own.begin(), own.end(), wanted.axis); held != own.end()) {
      appendMerged(dim.axes, wanted.axis);
      own.erase(held);
    } else if (wanted.axis.axis == axis) {
      if (std::optional<AxisRef> left = leftOf(wanted.axis, taken, most)) {
        appendMerged(dim.axes, *left);
        largest = std::max(largest, left->size);
      }
    }
  }
  for (const AxisRef &ref : own)
    appendMerged(dim.axes, ref);
  return largest;
}

/// Splits a dim along what its class wants of `axis`, or, if others share the rest and where that
/// would leave half of the devices or more without rows, along the largest major part for which it
/// fits. Returns false if it does not fit.
static bool split(DimSharding &dim, int64_t size, const Want &want,
                  absl::Span<const WantedAxis> order, int32_t axis, const AxisList &taken) {
  AxisList before = dim.axes;
  int32_t most = std::numeric_limits<int32_t>::max();
  while ((most = add(dim, order, axis, taken, most)) != 0) {
    int64_t shards = sizeOf(dim.axes);
    if (fits(size, shards) || want.isMeant(size, shards))
      return true;
    dim.axes = before;
    if (2 * size > shards || !want.sharesRest)
      return false;
    --most;
  }
  dim.axes = std::move(before);
  return false;
}

/// Takes all parts of an axis out of a list, to `taken`; what it stood between may become one.
static void takeAxis(AxisList &axes, int32_t axis, AxisList &taken) {
  AxisList left;
  for (const AxisRef &ref : axes)
    if (ref.axis == axis)
      taken.push_back(ref);
    else
      appendMerged(left, ref);
  axes = std::move(left);
}

static void addPartsOf(int32_t axis, const AxisList &axes, AxisList &parts) {
  for (const AxisRef &ref : axes)
    if (ref.axis == axis)
      parts.push_back(ref);
}

/// Leaves in the replicated axes what a sharding held of an axis and no longer does, or rounds
/// would bring it back; all of the axis, if no dim is split along it.
static void reserveRest(const Mesh &mesh, Sharding &sharding, int32_t axis, const AxisList &held,
                        bool isSplit) {
  if (held.empty())
    return;
  if (!isSplit)
    sharding.replicated.push_back(wholeAxis(mesh, axis));
  else
    for (const AxisRef &ref : complement(mesh, sharding.usedAxes()))
      if (ref.axis == axis && overlaps(ref, held))
        sharding.replicated.push_back(ref);
  std::sort(sharding.replicated.begin(), sharding.replicated.end());
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
  const Mesh &mesh = graph.mesh(group->mesh);
  MeshSharding target =
      now.sharding == none
          ? MeshSharding{group->mesh, Sharding::replicatedOf(shape.size(), /*open=*/true)}
          : graph.sharding(now.sharding);
  AxisList held, taken;
  for (DimSharding &dim : target.sharding.dims)
    takeAxis(dim.axes, group->axis, held);
  takeAxis(target.sharding.replicated, group->axis, held);
  bool hasLabel = false;
  for (int32_t label : candidate.labels)
    for (const LabelledDim &dim : member.dims) {
      if (dim.label != label)
        continue;
      hasLabel = true;
      DimSharding &own = target.sharding.dims[dim.dim];
      if (const Want &want = *classes.wantOf(classes.classOf(member.value, dim.dim));
          split(own, shape[dim.dim], want, orderOf(member, dim.dim, candidate), group->axis, taken))
        addPartsOf(group->axis, own.axes, taken);
    }
  if (taken.empty() && (candidate.keepsOthers || (hasLabel && candidate.keepsUnfit)))
    return now;
  if (taken.empty() && now.sharding == none)
    return now; // Nothing to say: it stays on no mesh.
  reserveRest(mesh, target.sharding, group->axis, held, !taken.empty());
  int32_t layout = cost.intern({target.mesh, target.sharding.layout()});
  return layout == now.layout ? now : Target{graph.internSharding(target), layout};
}

} // namespace spmd
