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
              const ValueUses &uses, bool withContent)
      : graph(graph), classes(classes), uses(uses), withContent(withContent),
        memberOf(graph.numValues(), none), timesSeen(graph.numOps(), 0) {
    // Room for more than there will be. What is not used takes no memory; growing would.
    members.reserve(graph.numValues());
    firstDims.reserve(graph.numValues() + 1);
    dims.reserve(2 * static_cast<size_t>(graph.numValues()));
    queue.reserve(graph.numValues());
    seenOps.reserve(graph.numOps());
    for (int32_t v = 0; v < graph.numValues(); ++v)
      if (classes.wantsNumberOf(v) != none && graph.value(v).state != ShardingState::pinned &&
          !isFree[v])
        wanting.push_back(v);
  }

  ConflictGroups run() {
    std::vector<std::pair<int32_t, int32_t>> axes = classes.wantedAxes();
    for (auto [wantedMesh, wantedAxis] : axes)
      if (graph.mesh(wantedMesh).axes()[wantedAxis].size > 1)
        findOnAxis(wantedMesh, wantedAxis);
    return std::move(found);
  }

private:
  void findOnAxis(int32_t wantedMesh, int32_t wantedAxis) {
    mesh = wantedMesh;
    axis = wantedAxis;
    lookAtShardings();
    lookAtParts();
    lookAtWants();
    contests.assign(numContests, Contest());
    for (int32_t v : wanting)
      if (const Contest &contest = contestOf(v); !contest.dims.empty() && !isPart(v))
        addContested(v, contest);
    found.values.reserve(found.values.size() + members.size());
    found.patterns.reserve(found.values.capacity());
    for (size_t m = 0; m < members.size(); ++m)
      if (memberOf[members[m]] == unwalked(static_cast<int32_t>(m)))
        walkFrom(static_cast<int32_t>(m));
    for (int32_t v : members)
      memberOf[v] = none;
    members.clear();
    dims.clear();
    firstDims.assign(1, 0);
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

  /// The dims of values that want the axis, if their shardings leave that open. Kept for values
  /// of one shape that lie alike and whose dims want the same.
  struct Contest {
    int32_t wantsNumber = none, sharding = none, shape = none;
    absl::InlinedVector<LabelledDim, 4> dims;
  };

  static constexpr size_t numContests = 256;

  const Contest &contestOf(int32_t v) {
    int32_t wantsNumber = classes.wantsNumberOf(v), sharding = graph.value(v).sharding,
            shape = graph.value(v).shape;
    Contest &known =
        contests[((static_cast<uint32_t>(wantsNumber) * 31 + static_cast<uint32_t>(sharding)) * 31 +
                  static_cast<uint32_t>(shape)) %
                 numContests];
    if (known.wantsNumber != wantsNumber || known.sharding != sharding || known.shape != shape)
      known = {wantsNumber, sharding, shape, contestedDims(v)};
    return known;
  }

  void addContested(int32_t v, const Contest &known) {
    if (isDroppedBehind(v, known.dims))
      return;
    memberOf[v] = unwalked(static_cast<int32_t>(members.size()));
    members.push_back(v);
    for (LabelledDim dim : known.dims) // One or two: a loop takes less than a call.
      dims.push_back(dim);
    firstDims.push_back(static_cast<int32_t>(dims.size()));
  }

  /// Whether a value has what its class may drop, and keeps it: arguments lie as they would if
  /// pinned, and the axis is dropped behind them.
  bool isDroppedBehind(int32_t v, absl::Span<const LabelledDim> wanting) const {
    const ShardGraph::Value &value = graph.value(v);
    return wanting.size() == 1 && value.sharding != none &&
           onAxis[value.sharding].firstHeld == wanting[0].dim &&
           classes.wantOf(classes.classOf(v, wanting[0].dim))->leavesIdle && classes.isSource(v);
  }

  absl::InlinedVector<LabelledDim, 4> contestedDims(int32_t v) const {
    const ShardGraph::Value &value = graph.value(v);
    OnAxis own = value.sharding == none ? OnAxis() : onAxis[value.sharding];
    absl::InlinedVector<LabelledDim, 4> contested;
    if (!own.mayChange)
      return contested;
    int64_t best = notWanted;
    for (int32_t d = 0, rank = classes.rankOf(v); d < rank; ++d) {
      int32_t want = classes.wantIndexOf(classes.classOf(v, d));
      if (want == none || priorities[want] == notWanted || priorities[want] > best)
        continue;
      if (priorities[want] < best)
        contested.clear();
      best = priorities[want];
      contested.push_back({d, none});
    }
    if (!contested.empty() && isContent(v, own, contested))
      contested.clear();
    return contested;
  }

  /// Whether the dims that want the axis have it: one alone any part of it, or all where a part may
  /// be what loops left of it, among other axes where its class wants it; several each all that it
  /// wants, which are parts then.
  bool isContent(int32_t v, const OnAxis &own, absl::Span<const LabelledDim> wanting) const {
    if (own.firstHeld == none)
      return false;
    const std::vector<DimSharding> &held = graph.sharding(graph.value(v).sharding).sharding.dims;
    if (wanting.size() == 1 && !classes.wantOf(classes.classOf(v, wanting[0].dim))->isPassedOn) {
      const Want &want = *classes.wantOf(classes.classOf(v, wanting[0].dim));
      const DimSharding &dim = held[wanting[0].dim];
      return holds(dim, axis) && !want.leavesIdle &&
             !(want.leavesRest && leavesIdle(v, wanting[0].dim, dim)) && isInOrder(want, dim) &&
             !(withContent && want.hasOrders());
    }
    return std::all_of(wanting.begin(), wanting.end(), [&](const LabelledDim &dim) {
      const Want &want = *classes.wantOf(classes.classOf(v, dim.dim));
      return std::all_of(want.axes.begin(), want.axes.end(), [&](const WantedAxis &wanted) {
        return wanted.axis.axis != axis || covers(held[dim.dim].axes, wanted.axis);
      });
    });
  }

  /// Whether half of the devices or more hold nothing of a dim that lies so.
  bool leavesIdle(int32_t v, int32_t d, const DimSharding &dim) const {
    return 2 * graph.shape(graph.value(v).shape)[d] <= sizeOf(dim.axes);
  }

  /// Whether a dim has the axis in front of those, and behind those, that it has so in `want`.
  bool isInOrder(const Want &want, const DimSharding &dim) const {
    auto placeOf = [&](const AxisRef &ref) {
      auto isRef = [&](const WantedAxis &wanted) { return wanted.axis == ref; };
      return std::find_if(want.axes.begin(), want.axes.end(), isRef) - want.axes.begin();
    };
    auto own = std::find_if(dim.axes.begin(), dim.axes.end(),
                            [&](const AxisRef &ref) { return ref.axis == axis; });
    ptrdiff_t numWanted = want.axes.size(), place = placeOf(*own);
    for (auto ref = dim.axes.begin(); place != numWanted && ref != dim.axes.end(); ++ref)
      if (ptrdiff_t other = placeOf(*ref);
          ref != own && other != numWanted && (ref < own) != (other < place))
        return false;
    return true;
  }

  /// What `memberOf` holds of a member.
  static int32_t unwalked(int32_t m) { return 2 * m; }
  static int32_t walked(int32_t m) { return 2 * m + 1; }
  static bool isWalked(int32_t member) { return member % 2 != 0; }

  absl::Span<LabelledDim> dimsOf(int32_t m) {
    return absl::MakeSpan(dims.data() + firstDims[m], firstDims[m + 1] - firstDims[m]);
  }

  bool isReserved(const Sharding &sharding) const {
    auto isAxis = [&](const AxisRef &ref) { return ref.axis == axis; };
    return std::any_of(sharding.replicated.begin(), sharding.replicated.end(), isAxis) ||
           std::any_of(sharding.unreduced.begin(), sharding.unreduced.end(), isAxis);
  }

  //===- Walking a group -----------------------------------------------------===//

  void walkFrom(int32_t first) {
    group = {mesh, axis, 0, false, static_cast<int32_t>(found.values.size()), 0, 0, 0};
    mix(group.signature, mesh);
    mix(group.signature, axis);
    labelClass.clear();
    queue.assign(1, first);
    memberOf[members[first]] = walked(first);
    for (size_t next = 0; next < queue.size(); ++next) { // It grows.
      int32_t m = queue[next];
      labelRest(m);
      note(m);
      for (int32_t op : uses.of(members[m]))
        if (timesSeen[op] < maxTimes)
          spread(op);
    }
    group.numLabels = labelClass.size();
    for (int32_t dimClass : labelClass)
      group.hasOrders |= classes.wantOf(dimClass)->hasOrders();
    group.numMembers = static_cast<int32_t>(queue.size());
    found.groups.push_back(group);
  }

  /// Gives the dims that no neighbour labelled the first label of their class that is left.
  void labelRest(int32_t m) {
    absl::Span<LabelledDim> own = dimsOf(m);
    uint32_t used = 0; // A bit for each label.
    for (const LabelledDim &dim : own)
      if (dim.label != none)
        used |= 1U << dim.label;
    for (LabelledDim &dim : own) {
      if (dim.label != none)
        continue;
      int32_t dimClass = classes.classOf(members[m], dim.dim);
      for (int32_t label = 0; label < maxLabels && dim.label == none; ++label) {
        if (label == static_cast<int32_t>(labelClass.size()))
          labelClass.push_back(dimClass);
        if (labelClass[label] == dimClass && (used >> label & 1U) == 0)
          dim.label = label;
      }
      if (dim.label != none)
        used |= 1U << dim.label;
    }
  }

  /// Carries labels along the factors of an op to the members among its tensors.
  void spread(int32_t index) {
    const ShardGraph::Op &op = graph.op(index);
    absl::Span<const int32_t> tensors = graph.tensorsOf(op);
    if (timesSeen[index]++ == 0)
      noteOp(index);
    int32_t numToLearn = 0;
    for (int32_t v : tensors) // Short: a loop takes less than a call.
      numToLearn += isToLearn(v) ? 1 : 0;
    if (numToLearn > 0) {
      readLabels(op, tensors);
      for (size_t t = 0; t < tensors.size(); ++t)
        if (isToLearn(tensors[t]) && receive(op.rule, t, tensors[t]))
          --numToLearn;
    }
    if (numToLearn == 0) // Nor will any in later looks.
      timesSeen[index] = maxTimes;
  }

  /// Finds the labels of an op's factors, by what was walked.
  void readLabels(const ShardGraph::Op &op, absl::Span<const int32_t> tensors) {
    size_t numFactors = classes.numFactorsOf(op.rule);
    if (labelOf.size() < numFactors)
      labelOf.resize(numFactors);
    for (size_t factor = 0; factor < numFactors; ++factor)
      labelOf[factor] = none;
    for (size_t t = 0; t < tensors.size(); ++t)
      if (int32_t member = memberOf[tensors[t]]; member != none && isWalked(member)) {
        const int32_t *leads = classes.leadsOf(op.rule, t);
        for (const LabelledDim &dim : dimsOf(member / 2))
          if (int32_t factor = leads[dim.dim]; factor != none && labelOf[factor] == none)
            labelOf[factor] = dim.label;
      }
  }

  bool isToLearn(int32_t v) const { return memberOf[v] != none && !isWalked(memberOf[v]); }

  void noteOp(int32_t index) {
    seenOps.push_back(index);
    const ShardGraph::Op &op = graph.op(index);
    mix(group.signature, op.rule);
    mix(group.signature, static_cast<int64_t>(op.turns));
    for (int32_t v : graph.tensorsOf(op))
      mixValue(graph.value(v), graph.value(v).sharding);
  }

  void mixValue(const ShardGraph::Value &value, uint32_t more) {
    constexpr uint64_t spread = 0xD6E8FEB86659FD93;
    mix(group.signature, static_cast<int64_t>((static_cast<uint64_t>(value.shape) << 32U | more) ^
                                              static_cast<uint64_t>(value.elementBits) * spread));
  }

  /// Labels the dims of a member that no op has labelled yet. Returns whether the op ties any.
  bool receive(int32_t rule, int32_t tensor, int32_t v) {
    bool isTied = false;
    int32_t m = memberOf[v] / 2;
    uint32_t used = 0; // A bit for each label.
    const int32_t *leads = classes.leadsOf(rule, tensor);
    for (LabelledDim &dim : dimsOf(m)) {
      int32_t factor = leads[dim.dim];
      if (factor == none || labelOf[factor] == none)
        continue;
      isTied = true;
      uint32_t label = 1U << labelOf[factor];
      if ((used & label) == 0)
        dim.label = labelOf[factor];
      used |= label;
    }
    if (isTied) {
      memberOf[v] = walked(m);
      queue.push_back(m);
    }
    return isTied;
  }

  void note(int32_t m) {
    const ShardGraph::Value &value = graph.value(members[m]);
    group.bytes += bytesOf(value);
    absl::Span<const LabelledDim> own = dimsOf(m);
    mixValue(value, own.size());
    key.resize(2 * own.size());
    int32_t *next = key.data();
    for (const LabelledDim &dim : own) {
      *next++ = dim.dim << 8 | (dim.label & 0xFF);
      mix(group.signature, next[-1]);
      *next++ = classes.axesNumberOf(classes.classOf(members[m], dim.dim));
    }
    auto [pattern, isNew] = patternNumbers.number(key);
    if (isNew) {
      found.dims.insert(found.dims.end(), own.begin(), own.end());
      found.firstDims.push_back(static_cast<int32_t>(found.dims.size()));
    }
    found.values.push_back(members[m]);
    found.patterns.push_back(pattern);
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
  const ValueUses &uses;
  bool withContent;
  int32_t mesh = 0, axis = 0;
  std::vector<int32_t> wanting;    ///< Values that are not pinned and want any axis.
  std::vector<OnAxis> onAxis;      ///< By sharding.
  std::vector<bool> partsOnAxis;   ///< By value; empty if no value is a part of anything.
  std::vector<int64_t> priorities; ///< By want.
  std::vector<Contest> contests;   ///< By a hash of what they are kept for.
  std::vector<int32_t> memberOf;   ///< By value: twice its number as a member, + 1 if walked; none.
  std::vector<int32_t> members;    ///< Of the axis at hand: values, in program order.
  std::vector<int32_t> firstDims = {0}; ///< By member, and one more: where its dims begin.
  std::vector<LabelledDim> dims;
  std::vector<int32_t> queue; ///< Members of the group at hand, in the order of the walk.
  KeyNumbers patternNumbers;
  std::vector<int32_t> key;
  std::vector<uint8_t> timesSeen;                       ///< By op.
  std::vector<std::pair<int32_t, double>> bytesOfShape; ///< Of elements of so many bits.
  std::vector<int32_t> seenOps, labelOf;
  std::vector<int32_t> labelClass; ///< By label of the group at hand.
  ConflictGroup group;
  ConflictGroups found;
};

ConflictGroups findConflictGroups(const ShardGraph &graph, const DimClasses &classes,
                                  const std::vector<bool> &isFree, const ValueUses &uses,
                                  bool withContent) {
  return GroupFinder(graph, classes, isFree, uses, withContent).run();
}

} // namespace spmd
