#include "spmd/ir/classes/ConflictGroups.h"

#include <algorithm>
#include <limits>

namespace spmd {

namespace {

constexpr int32_t none = ShardGraph::none;

/// Groups with more labels than this have as many candidates; further dims go without one.
constexpr int32_t maxLabels = 8;

/// An op is looked at for so many of its tensors: the first carries its labels to all that share
/// them, so that few are left after it, even of thousands.
constexpr uint8_t maxTimes = 16;

/// Mixes `value` into a signature; the same on every run.
void mix(size_t &signature, int64_t value) {
  signature = (signature ^ static_cast<size_t>(value)) * 0x9E3779B97F4A7C15;
  signature ^= signature >> 29;
}

bool holds(const DimSharding &dim, int32_t axis) {
  return std::any_of(dim.axes.begin(), dim.axes.end(),
                     [&](const AxisRef &ref) { return ref.axis == axis; });
}

class GroupFinder {
public:
  GroupFinder(const ShardGraph &graph, const DimClasses &classes, const std::vector<bool> &isFree,
              const ValueUses &uses)
      : graph(graph), classes(classes), isFree(isFree), uses(uses),
        memberOf(graph.numValues(), none), timesSeen(graph.numOps(), 0) {}

  std::vector<ConflictGroup> run() {
    for (auto [wantedMesh, wantedAxis] : classes.wantedAxes())
      if (graph.mesh(wantedMesh).axes()[wantedAxis].size > 1)
        findOnAxis(wantedMesh, wantedAxis);
    return std::move(groups);
  }

private:
  void findOnAxis(int32_t wantedMesh, int32_t wantedAxis) {
    mesh = wantedMesh;
    axis = wantedAxis;
    members.clear();
    lookAtShardings();
    for (int32_t v = 0; v < graph.numValues(); ++v)
      if (graph.value(v).state != ShardingState::pinned && !isFree[v])
        addIfContested(v);
    for (size_t m = 0; m < members.size(); ++m)
      if (!isWalked[m])
        walkFrom(m);
    for (const GroupMember &member : members)
      memberOf[member.value] = none;
    for (int32_t op : seenOps)
      timesSeen[op] = 0;
    seenOps.clear();
    isWalked.clear();
  }

  //===- Members -------------------------------------------------------------===//

  /// What a sharding is to the axis at hand.
  struct OnAxis {
    /// Its values may be members: it lies on the mesh, leaves the axis free or along dims, and no
    /// dim is wanted as it is, if only by a region whose axes are all manual.
    bool mayChange = true;
    bool isHeld = false; ///< Some dim lies along the axis.
  };

  void lookAtShardings() {
    onAxis.clear();
    for (int32_t s = 0; s < graph.numShardings(); ++s) {
      const Sharding &sharding = graph.sharding(s).sharding;
      OnAxis &found = onAxis.emplace_back();
      found.mayChange = graph.sharding(s).mesh == mesh && !isReserved(sharding);
      for (const DimSharding &dim : sharding.dims) {
        found.mayChange &= dim.open;
        found.isHeld |= holds(dim, axis);
      }
    }
  }

  void addIfContested(int32_t v) {
    const ShardGraph::Value &value = graph.value(v);
    OnAxis own = value.sharding == none ? OnAxis() : onAxis[value.sharding];
    if (!own.mayChange)
      return;
    GroupMember member{v, {}};
    int64_t best = std::numeric_limits<int64_t>::max();
    int32_t rank = graph.shape(value.shape).size();
    for (int32_t d = 0; d < rank; ++d) {
      int32_t dimClass = classes.classOf(v, d);
      int64_t priority = priorityOf(dimClass);
      if (priority != notWanted) {
        if (priority < best)
          member.dims.clear();
        if (priority <= best)
          member.dims.push_back({d, none, dimClass});
        best = std::min(best, priority);
      }
    }
    if (member.dims.empty() || (member.dims.size() == 1 && own.isHeld && hasIt(value, member)))
      return;
    memberOf[v] = members.size();
    members.push_back(std::move(member));
    isWalked.push_back(false);
  }

  /// Whether the only dim that wants the axis has it, not another that came by it.
  bool hasIt(const ShardGraph::Value &value, const GroupMember &member) const {
    return holds(graph.sharding(value.sharding).sharding.dims[member.dims.front().dim], axis);
  }

  static constexpr int64_t notWanted = std::numeric_limits<int64_t>::max();

  int64_t priorityOf(int32_t dimClass) const {
    const Want *want = classes.wantOf(dimClass);
    if (want && want->mesh == mesh)
      for (const WantedAxis &wanted : want->axes)
        if (wanted.axis.axis == axis)
          return wanted.priority;
    return notWanted;
  }

  bool isReserved(const Sharding &sharding) const {
    auto isAxis = [&](const AxisRef &ref) { return ref.axis == axis; };
    return std::any_of(sharding.replicated.begin(), sharding.replicated.end(), isAxis) ||
           std::any_of(sharding.unreduced.begin(), sharding.unreduced.end(), isAxis);
  }

  //===- Walking a group -----------------------------------------------------===//

  void walkFrom(int32_t first) {
    group = {mesh, axis, 0, {}, 0, 0};
    mix(group.signature, mesh);
    mix(group.signature, axis);
    labelClass.clear();
    queue.assign(1, first);
    isWalked[first] = true;
    size_t next = 0;
    while (next < queue.size()) { // It grows on the way.
      GroupMember &member = members[queue[next++]];
      labelRest(member);
      note(member);
      for (int32_t op : uses.of(member.value))
        spread(op);
    }
    group.numLabels = labelClass.size();
    group.members.reserve(queue.size());
    for (int32_t m : queue)
      group.members.push_back(members[m]);
    groups.push_back(std::move(group));
  }

  /// Gives the dims that no neighbour labelled the first label of their class that is left.
  void labelRest(GroupMember &member) {
    for (LabelledDim &dim : member.dims) {
      if (dim.label != none)
        continue;
      for (int32_t label = 0; label < maxLabels && dim.label == none; ++label) {
        if (label == static_cast<int32_t>(labelClass.size()))
          labelClass.push_back(dim.dimClass);
        if (labelClass[label] == dim.dimClass && !hasLabel(member, label))
          dim.label = label;
      }
    }
  }

  static bool hasLabel(const GroupMember &member, int32_t label) {
    return std::any_of(member.dims.begin(), member.dims.end(),
                       [&](const LabelledDim &dim) { return dim.label == label; });
  }

  /// Carries labels along the factors of an op to the members among its tensors.
  void spread(int32_t index) {
    if (timesSeen[index] == maxTimes)
      return;
    const ShardGraph::Op &op = graph.op(index);
    absl::Span<const int32_t> tensors = graph.tensorsOf(op);
    if (timesSeen[index]++ == 0)
      noteOp(index);
    if (std::none_of(tensors.begin(), tensors.end(),
                     [&](int32_t v) { return memberOf[v] != none && !isWalked[memberOf[v]]; }))
      return; // Nobody is left to learn.
    labelOf.assign(graph.rule(op.rule).factors.size(), none);
    for (size_t t = 0; t < tensors.size(); ++t)
      if (int32_t m = memberOf[tensors[t]]; m != none && isWalked[m])
        for (const LabelledDim &dim : members[m].dims)
          if (int32_t factor = classes.leadOf(op.rule, t, dim.dim); factor != none)
            if (labelOf[factor] == none)
              labelOf[factor] = dim.label;
    for (size_t t = 0; t < tensors.size(); ++t)
      if (int32_t m = memberOf[tensors[t]]; m != none && !isWalked[m])
        receive(op.rule, t, m);
  }

  void noteOp(int32_t index) {
    seenOps.push_back(index);
    const ShardGraph::Op &op = graph.op(index);
    mix(group.signature, op.rule);
    mix(group.signature, static_cast<int64_t>(op.turns));
    for (int32_t v : graph.tensorsOf(op)) {
      mix(group.signature, graph.value(v).shape);
      mix(group.signature, graph.value(v).elementBits);
      mix(group.signature, graph.value(v).sharding);
    }
  }

  void receive(int32_t rule, int32_t tensor, int32_t m) {
    bool isTied = false;
    for (LabelledDim &dim : members[m].dims) {
      int32_t factor = classes.leadOf(rule, tensor, dim.dim);
      if (factor == none || labelOf[factor] == none)
        continue;
      isTied = true;
      if (!hasLabel(members[m], labelOf[factor]))
        dim.label = labelOf[factor];
    }
    if (!isTied)
      return;
    isWalked[m] = true;
    queue.push_back(m);
  }

  void note(const GroupMember &member) {
    const ShardGraph::Value &value = graph.value(member.value);
    group.bytes += graph.bytesOf(value);
    mix(group.signature, value.shape);
    mix(group.signature, value.elementBits);
    for (const LabelledDim &dim : member.dims) {
      mix(group.signature, dim.dim);
      mix(group.signature, dim.label);
    }
  }

  const ShardGraph &graph;
  const DimClasses &classes;
  const std::vector<bool> &isFree;
  const ValueUses &uses;
  int32_t mesh = 0, axis = 0;
  std::vector<OnAxis> onAxis;       ///< By sharding.
  std::vector<int32_t> memberOf;    ///< By value, an index in `members`.
  std::vector<GroupMember> members; ///< Of all groups of the axis at hand.
  std::vector<bool> isWalked;       ///< By member.
  std::vector<uint8_t> timesSeen;   ///< By op.
  std::vector<int32_t> seenOps, queue, labelOf;
  std::vector<int32_t> labelClass; ///< By label of the group at hand.
  ConflictGroup group;
  std::vector<ConflictGroup> groups;
};

} // namespace

std::vector<ConflictGroup> findConflictGroups(const ShardGraph &graph, const DimClasses &classes,
                                              const std::vector<bool> &isFree,
                                              const ValueUses &uses) {
  return GroupFinder(graph, classes, isFree, uses).run();
}

} // namespace spmd
