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

/// Whether some part of an axis in `held` has all of `wanted`.
bool covers(const AxisList &held, const AxisRef &wanted) {
  return std::any_of(held.begin(), held.end(), [&](const AxisRef &ref) {
    return ref.axis == wanted.axis && ref.preSize <= wanted.preSize &&
           ref.preSize * ref.size >= wanted.preSize * wanted.size;
  });
}

} // namespace

class GroupFinder {
public:
  GroupFinder(const ShardGraph &graph, const DimClasses &classes, const std::vector<bool> &isFree,
              const ValueUses &uses)
      : graph(graph), classes(classes), isFree(isFree), uses(uses),
        memberOf(graph.numValues(), none), timesSeen(graph.numOps(), 0) {}

  ConflictGroups run() {
    std::vector<std::pair<int32_t, int32_t>> axes = classes.wantedAxes();
    reserve(graph.numValues() * std::min<size_t>(axes.size(), 2));
    found.firstDims.push_back(0);
    for (auto [wantedMesh, wantedAxis] : axes)
      if (graph.mesh(wantedMesh).axes()[wantedAxis].size > 1)
        findOnAxis(wantedMesh, wantedAxis);
    return std::move(found);
  }

private:
  /// Makes room for more members than there will be. What is not used takes no memory; growing
  /// would.
  void reserve(size_t numMembers) {
    found.values.reserve(numMembers);
    found.firstDims.reserve(numMembers + 1);
    found.order.reserve(numMembers);
    found.dims.reserve(2 * numMembers);
  }

  void findOnAxis(int32_t wantedMesh, int32_t wantedAxis) {
    mesh = wantedMesh;
    axis = wantedAxis;
    lookAtShardings();
    lookAtParts();
    lookAtWants();
    size_t first = found.values.size();
    for (int32_t v = 0; v < graph.numValues(); ++v)
      if (graph.value(v).state != ShardingState::pinned && !isFree[v] && !isPart(v))
        addIfContested(v);
    isWalked.resize(found.values.size(), false);
    for (size_t m = first; m < found.values.size(); ++m)
      if (!isWalked[m])
        walkFrom(static_cast<int32_t>(m));
    for (size_t m = first; m < found.values.size(); ++m)
      memberOf[found.values[m]] = none;
    for (int32_t op : seenOps)
      timesSeen[op] = 0;
    seenOps.clear();
  }

  //===- Members -------------------------------------------------------------===//

  /// What a sharding is to the axis at hand.
  struct OnAxis {
    /// Its values may be members: it lies on the mesh, leaves the axis free or along dims, and no
    /// dim is wanted as it is, if only by a region whose axes are all manual.
    bool mayChange = true;
    int32_t firstHeld = none; ///< The first dim that lies along the axis.
  };

  void lookAtShardings() {
    onAxis.clear();
    for (int32_t s = 0; s < graph.numShardings(); ++s) {
      const Sharding &sharding = graph.sharding(s).sharding;
      OnAxis &own = onAxis.emplace_back();
      own.mayChange = graph.sharding(s).mesh == mesh && !isReserved(sharding);
      for (int32_t d = 0, rank = sharding.rank(); d < rank; ++d) {
        own.mayChange &= sharding.dims[d].open;
        if (own.firstHeld == none && holds(sharding.dims[d], axis))
          own.firstHeld = d;
      }
    }
  }

  /// Marks the values that are parts along the axis at hand already.
  void lookAtParts() {
    partsOnAxis.assign(graph.parts().empty() ? 0 : graph.numValues(), false);
    for (const ShardGraph::Parts &parts : graph.parts())
      if (std::find(parts.axes.begin(), parts.axes.end(), std::pair(mesh, axis)) !=
          parts.axes.end())
        std::fill(partsOnAxis.begin() + parts.first, partsOnAxis.begin() + parts.last, true);
  }

  bool isPart(int32_t v) const { return !partsOnAxis.empty() && partsOnAxis[v]; }

  static constexpr int64_t notWanted = std::numeric_limits<int64_t>::max();

  /// Finds out with which priority each class wants the axis.
  void lookAtWants() {
    priorities.assign(classes.numWants(), notWanted);
    for (int32_t w = 0; w < classes.numWants(); ++w) {
      const Want &want = classes.want(w);
      auto isAxis = [&](const WantedAxis &wanted) { return wanted.axis.axis == axis; };
      auto wanted = std::find_if(want.axes.begin(), want.axes.end(), isAxis);
      if (want.mesh == mesh && wanted != want.axes.end())
        priorities[w] = wanted->priority;
    }
  }

  void addIfContested(int32_t v) {
    const ShardGraph::Value &value = graph.value(v);
    OnAxis own = value.sharding == none ? OnAxis() : onAxis[value.sharding];
    if (!own.mayChange)
      return;
    size_t first = found.dims.size();
    int64_t best = notWanted;
    for (int32_t d = 0, rank = classes.rankOf(v); d < rank; ++d) {
      int32_t want = classes.wantIndexOf(classes.classOf(v, d));
      if (want == none || priorities[want] == notWanted || priorities[want] > best)
        continue;
      if (priorities[want] < best)
        found.dims.resize(first);
      best = priorities[want];
      found.dims.push_back({d, none});
    }
    size_t count = found.dims.size() - first;
    if (count == 0 || isContent(v, own, absl::MakeConstSpan(found.dims).subspan(first))) {
      found.dims.resize(first);
      return;
    }
    memberOf[v] = static_cast<int32_t>(found.values.size());
    found.values.push_back(v);
    found.firstDims.push_back(static_cast<int32_t>(found.dims.size()));
  }

  /// Whether the dims that want the axis have it: one alone any part of it, several each all that
  /// it wants, which are parts then.
  bool isContent(int32_t v, const OnAxis &own, absl::Span<const LabelledDim> dims) const {
    if (own.firstHeld == none)
      return false;
    const std::vector<DimSharding> &held = graph.sharding(graph.value(v).sharding).sharding.dims;
    if (dims.size() == 1)
      return own.firstHeld == dims[0].dim || holds(held[dims[0].dim], axis);
    return std::all_of(dims.begin(), dims.end(), [&](const LabelledDim &dim) {
      const Want &want = *classes.wantOf(classes.classOf(v, dim.dim));
      return std::all_of(want.axes.begin(), want.axes.end(), [&](const WantedAxis &wanted) {
        return wanted.axis.axis != axis || covers(held[dim.dim].axes, wanted.axis);
      });
    });
  }

  absl::Span<LabelledDim> dimsOf(int32_t m) {
    return absl::MakeSpan(found.dims)
        .subspan(found.firstDims[m], found.firstDims[m + 1] - found.firstDims[m]);
  }

  bool isReserved(const Sharding &sharding) const {
    auto isAxis = [&](const AxisRef &ref) { return ref.axis == axis; };
    return std::any_of(sharding.replicated.begin(), sharding.replicated.end(), isAxis) ||
           std::any_of(sharding.unreduced.begin(), sharding.unreduced.end(), isAxis);
  }

  //===- Walking a group -----------------------------------------------------===//

  void walkFrom(int32_t first) {
    group = {mesh, axis, 0, static_cast<int32_t>(found.order.size()), 0, 0, 0};
    mix(group.signature, mesh);
    mix(group.signature, axis);
    labelClass.clear();
    found.order.push_back(first);
    isWalked[first] = true;
    for (size_t next = group.firstMember; next < found.order.size(); ++next) { // It grows.
      int32_t m = found.order[next];
      labelRest(m);
      note(m);
      for (int32_t op : uses.of(found.values[m]))
        spread(op);
    }
    group.numLabels = labelClass.size();
    group.numMembers = static_cast<int32_t>(found.order.size()) - group.firstMember;
    found.groups.push_back(group);
  }

  /// Gives the dims that no neighbour labelled the first label of their class that is left.
  void labelRest(int32_t m) {
    for (LabelledDim &dim : dimsOf(m)) {
      if (dim.label != none)
        continue;
      int32_t dimClass = classes.classOf(found.values[m], dim.dim);
      for (int32_t label = 0; label < maxLabels && dim.label == none; ++label) {
        if (label == static_cast<int32_t>(labelClass.size()))
          labelClass.push_back(dimClass);
        if (labelClass[label] == dimClass && !hasLabel(m, label))
          dim.label = label;
      }
    }
  }

  bool hasLabel(int32_t m, int32_t label) {
    absl::Span<const LabelledDim> dims = dimsOf(m);
    return std::any_of(dims.begin(), dims.end(),
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
        for (const LabelledDim &dim : dimsOf(m))
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
      mixShape(graph.value(v));
      mix(group.signature, graph.value(v).sharding);
    }
  }

  void mixShape(const ShardGraph::Value &value) {
    mix(group.signature, (static_cast<int64_t>(value.shape) << 32) + value.elementBits);
  }

  void receive(int32_t rule, int32_t tensor, int32_t m) {
    bool isTied = false;
    for (LabelledDim &dim : dimsOf(m)) {
      int32_t factor = classes.leadOf(rule, tensor, dim.dim);
      if (factor == none || labelOf[factor] == none)
        continue;
      isTied = true;
      if (!hasLabel(m, labelOf[factor]))
        dim.label = labelOf[factor];
    }
    if (!isTied)
      return;
    isWalked[m] = true;
    found.order.push_back(m);
  }

  void note(int32_t m) {
    const ShardGraph::Value &value = graph.value(found.values[m]);
    group.bytes += bytesOf(value);
    mixShape(value);
    for (const LabelledDim &dim : dimsOf(m)) {
      mix(group.signature, dim.dim);
      mix(group.signature, dim.label);
    }
  }

  /// As the graph has it; looked up for the element size that a shape had last.
  double bytesOf(const ShardGraph::Value &value) {
    if (static_cast<size_t>(value.shape) >= bytesOfShape.size())
      bytesOfShape.resize(value.shape + 1);
    auto &[elementBits, bytes] = bytesOfShape[value.shape];
    if (elementBits != value.elementBits) {
      elementBits = value.elementBits;
      bytes = graph.bytesOf(value);
    }
    return bytes;
  }

  const ShardGraph &graph;
  const DimClasses &classes;
  const std::vector<bool> &isFree;
  const ValueUses &uses;
  int32_t mesh = 0, axis = 0;
  std::vector<OnAxis> onAxis;      ///< By sharding.
  std::vector<bool> partsOnAxis;   ///< By value; empty if no value is a part of anything.
  std::vector<int64_t> priorities; ///< By want.
  std::vector<int32_t> memberOf;   ///< By value: the member of the axis at hand that it is.
  std::vector<bool> isWalked;      ///< By member.
  std::vector<uint8_t> timesSeen;  ///< By op.
  std::vector<std::pair<int32_t, double>> bytesOfShape; ///< Of elements of so many bits.
  std::vector<int32_t> seenOps, labelOf;
  std::vector<int32_t> labelClass; ///< By label of the group at hand.
  ConflictGroup group;
  ConflictGroups found;
};

ConflictGroups findConflictGroups(const ShardGraph &graph, const DimClasses &classes,
                                  const std::vector<bool> &isFree, const ValueUses &uses) {
  return GroupFinder(graph, classes, isFree, uses).run();
}

} // namespace spmd
