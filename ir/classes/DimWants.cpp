// What the classes of `DimClasses` want: the claims that are made for their dims, settled.
#include "spmd/ir/classes/DimClasses.h"

#include "spmd/ir/sharding/Excluding.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace spmd {

constexpr int32_t none = ShardGraph::none;

/// Whether an axis has devices to split along. One of size 1 says nothing, nor is it in any order.
static bool splits(const AxisRef &axis) { return axis.size > 1; }

/// Whether a pinned dim says something for those that share a factor with it.
bool DimClasses::claims(int32_t value, int32_t dim) const {
  int32_t index = graph.value(value).sharding;
  if (index == none || graph.value(value).state != ShardingState::pinned)
    return false;
  const AxisList &axes = graph.sharding(index).sharding.dims[dim].axes;
  return std::any_of(axes.begin(), axes.end(), splits);
}

/// What the open dims of a pinned value say for their own classes.
void DimClasses::claimOwn(int32_t value) {
  for (int32_t d = 0; d < firstDim[value + 1] - firstDim[value]; ++d)
    if (roots[firstDim[value] + d] >= 0 && claims(value, d))
      claimed.push_back({firstDim[value] + d, value, d});
}

/// Adds an axis unless one already wanted excludes it; where the last one is a major part of it,
/// the rest. A part that follows the last one becomes one with it.
static void addWanted(Want &want, WantedAxis added) {
  if (!want.axes.empty() && isPrefix({want.axes.back().axis}, {added.axis})) {
    AxisList rest = afterPrefix({want.axes.back().axis}, {added.axis});
    if (rest.empty())
      return;
    added.axis = rest.front();
  }
  for (const WantedAxis &known : want.axes)
    if (exclude(known.axis, added.axis))
      return;
  if (!want.axes.empty() && canMerge(want.axes.back().axis, added.axis) &&
      want.axes.back().priority == added.priority)
    want.axes.back().axis.size *= added.axis.size;
  else
    want.axes.push_back(added);
}

/// Puts the claims in order of their classes, those of one class in program order.
void DimClasses::sortByClass() {
  std::vector<int32_t> next(numClasses, 0);
  for (Claim &claim : claimed) {
    claim.dimClass = roots[claim.dimClass];
    ++next[claim.dimClass];
  }
  std::exclusive_scan(next.begin(), next.end(), next.begin(), 0);
  std::vector<Claim> sorted(claimed.size());
  for (const Claim &claim : claimed)
    sorted[next[claim.dimClass]++] = claim;
  claimed = std::move(sorted);
}

/// Puts the claims of a class in the order in which they count: the highest priority first, then
/// what the larger tensor claims, then program order. Of those that claim the same, as thousands of
/// annotations alike do, only the first is kept: the others add nothing.
void DimClasses::keepFirst(std::vector<Claim> &ofClass) const {
  auto isBefore = [this](const Claim &a, const Claim &b) {
    int64_t priorityOfA = graph.priorityOf(a.value, a.dim),
            priorityOfB = graph.priorityOf(b.value, b.dim);
    if (priorityOfA != priorityOfB)
      return priorityOfA < priorityOfB;
    double bytesOfA = graph.bytesOf(graph.value(a.value)),
           bytesOfB = graph.bytesOf(graph.value(b.value));
    return std::tie(bytesOfB, a.value, a.dim) < std::tie(bytesOfA, b.value, b.dim);
  };
  if (ofClass.size() > 4) {
    KeyNumbers numbers;
    size_t count = 0;
    for (const Claim &claim : ofClass) {
      auto [number, isNew] = numbers.number({graph.value(claim.value).sharding, claim.dim});
      if (isNew)
        ofClass[count++] = claim;
      else if (isBefore(claim, ofClass[number]))
        ofClass[number] = claim;
    }
    ofClass.resize(count);
  }
  std::sort(ofClass.begin(), ofClass.end(), isBefore);
}

bool DimClasses::leavesIdle(const Claim &claim) const {
  const ShardGraph::Value &value = graph.value(claim.value);
  return 2 * graph.shape(value.shape)[claim.dim] <=
         sizeOf(graph.sharding(value.sharding).sharding.dims[claim.dim].axes);
}

/// Whether the axes of a class may be followed nowhere.
bool DimClasses::mayBeDropped(absl::Span<const Claim> ofClass) {
  if (!std::all_of(ofClass.begin(), ofClass.end(),
                   [this](const Claim &claim) { return leavesIdle(claim); }))
    return false;
  return std::none_of(ofClass.begin(), ofClass.end(),
                      [this](const Claim &claim) { return isOfOp(claim.value); });
}

/// Whether an op of the graph makes a value.
bool DimClasses::isOfOp(int32_t value) {
  if (isMade.empty()) {
    isMade.resize(graph.numValues());
    for (int32_t o = 0; o < graph.numOps(); ++o)
      for (int32_t result : graph.tensorsOf(graph.op(o)).subspan(graph.op(o).numOperands))
        isMade[result] = true;
  }
  return isMade[value];
}

/// Lets each class want what is claimed for it.
void DimClasses::settleWants() {
  sortByClass();
  wantIndex.assign(numClasses, none);
  std::vector<Claim> ofClass;
  const Claim *before = nullptr; // Of a class for which nothing else is claimed.
  int32_t wantedBefore = none;
  for (size_t next = 0; next < claimed.size();) {
    const Claim &first = claimed[next];
    bool isAlone = true;
    ofClass.clear();
    for (; next < claimed.size() && claimed[next].dimClass == first.dimClass; ++next) {
      isAlone &= claimed[next].value == first.value && claimed[next].dim == first.dim;
      ofClass.push_back(claimed[next]);
    }
    int32_t &wanted = wantIndex[first.dimClass];
    if (!isAlone) {
      wanted = internWant(wantFrom(ofClass));
      continue;
    }
    if (!before || before->value != first.value || before->dim != first.dim)
      wantedBefore = internWant(wantFrom(ofClass));
    before = &first; // All that read one pinned value may be classes of their own.
    wanted = wantedBefore;
  }
  claimed = {};
}

/// Returns what is claimed for a class, its claims in program order; leaves them in the order in
/// which they count.
Want DimClasses::wantFrom(std::vector<Claim> &ofClass) {
  Want want;
  want.leavesIdle = mayBeDropped(ofClass);
  for (const Claim &claim : ofClass)
    noteRows(claim, want);
  keepFirst(ofClass);
  want.mesh = graph.sharding(graph.value(ofClass.front().value).sharding).mesh;
  for (const Claim &claim : ofClass)
    add(claim, want);
  addOtherOrder(ofClass, want);
  return want;
}

/// Notes how many rows a claim has for how many positions, where some have none, and if that is
/// fewer than before.
void DimClasses::noteRows(const Claim &claim, Want &want) {
  const ShardGraph::Value &value = graph.value(claim.value);
  int64_t rows = graph.shape(value.shape)[claim.dim],
          shards = sizeOf(graph.sharding(value.sharding).sharding.dims[claim.dim].axes);
  if (rows < shards && !want.isMeant(rows, shards) && isOfOp(claim.value))
    std::tie(want.pinnedRows, want.pinnedShards) = std::tie(rows, shards);
}

/// Returns the number of what a class wants.
int32_t DimClasses::internWant(Want want) {
  key.assign({want.mesh, want.isPassedOn, want.leavesIdle, want.leavesRest, want.sharesRest});
  for (int64_t size : {want.pinnedRows, want.pinnedShards})
    key.insert(key.end(), {static_cast<int32_t>(size), static_cast<int32_t>(size >> 32)});
  for (const auto *axes : {&want.axes, &want.otherwise})
    for (const WantedAxis &wanted : *axes)
      key.insert(key.end(), {wanted.axis.axis, wanted.axis.preSize, wanted.axis.size});
  int32_t axesNumber = numbersOfAxes.number(key).first;
  key.assign(1, axesNumber);
  for (const WantedAxis &wanted : want.axes)
    key.insert(key.end(), {static_cast<int32_t>(wanted.priority),
                           static_cast<int32_t>(wanted.priority >> 32)});
  auto [number, isNew] = numbersOfWants.number(key);
  if (isNew) {
    wants.push_back(std::move(want));
    axesNumbers.push_back(axesNumber);
  }
  return number;
}

/// Returns by class whether a loop reads or writes a part of it by index, in each turn another.
std::vector<bool> DimClasses::classesOfTurns() const {
  std::vector<bool> inTurns(numClasses, false);
  for (int32_t o = 0; o < graph.numOps(); ++o) {
    const ShardGraph::Op &op = graph.op(o);
    if (op.turns <= 1 || !ruleLeads[op.rule].addresses)
      continue;
    const OpRule &rule = graph.rule(op.rule);
    absl::Span<const int32_t> tensors = graph.tensorsOf(op);
    for (int64_t t = 0; t < rule.numTensors(); ++t)
      for (int64_t d = 0, rank = rule.tensor(t).size(); d < rank; ++d)
        if (int32_t dimClass = classOf(tensors[t], d);
            dimClass != none && isAddressed(rule, rule.tensor(t)[d]))
          inTurns[dimClass] = true;
  }
  return inTurns;
}

static int64_t positionsOf(absl::Span<const WantedAxis> axes) {
  int64_t positions = 1;
  for (const WantedAxis &wanted : axes)
    positions *= wanted.axis.size;
  return positions;
}

/// Lets the rows of what loops take in turns want what these do, behind what they want themselves;
/// and other rows what is left of that where what they are the rows of is too short for all of it.
void DimClasses::passOnToRows() {
  if (rowsOf.empty() || !wantsAnything())
    return;
  std::vector<bool> inTurns = classesOfTurns();
  for (auto [taken, rows, size, numRows] : std::exchange(rowsOf, {})) {
    int32_t from = roots[taken], to = roots[rows];
    if (from == to || wantIndex[from] == none)
      continue;
    if (inTurns[from])
      passOn(wants[wantIndex[from]].axes, from, to, /*isPassedOn=*/true);
    else if (auto rest = restOf(wants[wantIndex[from]], size); !rest.empty()) {
      // Padding between the parts would shift all that follows.
      bool isEven = numRows % positionsOf(rest) == 0;
      if (isEven)
        passOn(rest, from, to, /*isPassedOn=*/false);
      Want want = wants[wantIndex[from]];
      want.leavesRest = true;
      want.sharesRest |= isEven;
      wantIndex[from] = internWant(std::move(want));
    }
  }
}

/// Returns what is wanted behind the axes that split `size` rows one by one.
absl::InlinedVector<WantedAxis, 1> DimClasses::restOf(const Want &want, int64_t size) const {
  absl::InlinedVector<WantedAxis, 1> rest;
  for (WantedAxis wanted : want.axes) {
    auto own = static_cast<int32_t>(std::gcd<int64_t>(size, wanted.axis.size));
    size /= own;
    if (size != 1 && own < wanted.axis.size)
      return {}; // Neither divides the other.
    wanted.axis.preSize *= own;
    wanted.axis.size /= own;
    if (wanted.axis.size > 1)
      rest.push_back(wanted);
  }
  return rest;
}

/// Adds axes of one class to what another wants.
void DimClasses::passOn(absl::Span<const WantedAxis> axes, int32_t from, int32_t to,
                        bool isPassedOn) {
  Want want;
  want.mesh = wants[wantIndex[from]].mesh;
  if (wantIndex[to] != none)
    want = wants[wantIndex[to]];
  if (want.mesh == wants[wantIndex[from]].mesh)
    for (const WantedAxis &axis : axes)
      addWanted(want, axis);
  want.isPassedOn |= isPassedOn;
  wantIndex[to] = internWant(std::move(want));
}

/// Adds the axes of a claim on the mesh of the first one, but for those that overlap one already
/// wanted.
void DimClasses::add(const Claim &claim, Want &want) const {
  const MeshSharding &source = graph.sharding(graph.value(claim.value).sharding);
  if (want.mesh != source.mesh)
    return;
  for (const AxisRef &axis : source.sharding.dims[claim.dim].axes)
    if (splits(axis))
      addWanted(want, {axis, graph.priorityOf(claim.value, claim.dim)});
}

/// Whether two lists have an axis in common, and neither begins as the other does.
static bool disagree(const AxisList &a, const AxisList &b) {
  return !isPrefix(a, b) && !isPrefix(b, a) &&
         std::find_first_of(a.begin(), a.end(), b.begin(), b.end()) != a.end();
}

/// Adds the order of the first claim that disagrees with the first of all, if it counts as much.
void DimClasses::addOtherOrder(absl::Span<const Claim> ofClass, Want &want) const {
  auto axesOf = [this](const Claim &claim) {
    AxisList axes = graph.sharding(graph.value(claim.value).sharding).sharding.dims[claim.dim].axes;
    axes.erase(std::remove_if(axes.begin(), axes.end(), std::not_fn(splits)), axes.end());
    return axes;
  };
  const Claim &first = ofClass.front();
  for (const Claim &claim : ofClass.subspan(1)) {
    if (graph.sharding(graph.value(claim.value).sharding).mesh != want.mesh ||
        graph.priorityOf(claim.value, claim.dim) != graph.priorityOf(first.value, first.dim) ||
        !disagree(axesOf(first), axesOf(claim)))
      continue;
    Want other;
    other.mesh = want.mesh;
    add(claim, other);
    for (const Claim &each : ofClass)
      add(each, other);
    want.otherwise = std::move(other.axes);
    return;
  }
}

} // namespace spmd
