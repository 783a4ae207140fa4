#include "spmd/ir/classes/DimClasses.h"

#include "spmd/ir/sharding/Excluding.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <numeric>
#include <utility>

namespace spmd {

constexpr int32_t none = ShardGraph::none;

/// Whether dims that share a factor of this kind are split alike. Rows that a window runs over are,
/// where axes pass at all: little but edges is moved then.
static bool unites(const Factor &factor) {
  return !factor.blocked && factor.size != 1 &&
         (factor.kind == FactorKind::pass || factor.kind == FactorKind::reduce ||
          factor.kind == FactorKind::window);
}

DimClasses::DimClasses(const ShardGraph &graph, const std::vector<bool> &isFree) : graph(graph) {
  int32_t numDims = 0;
  firstDim.reserve(graph.numValues() + 1);
  for (int32_t v = 0; v < graph.numValues(); ++v) {
    firstDim.push_back(numDims);
    numDims += graph.shape(graph.value(v).shape).size();
  }
  firstDim.push_back(numDims);
  roots.resize(numDims);
  for (int32_t v = 0; v < graph.numValues(); ++v)
    startClasses(v, isFree[v]);
  collectLeads();
  for (int32_t op = 0; op < graph.numOps(); ++op)
    uniteOp(graph.op(op));
  for (int32_t v = 0; v < graph.numValues(); ++v)
    if (graph.value(v).state == ShardingState::pinned)
      claimOwn(v);
  numberClasses();
  settleWants();
  passOnToRows();
  if (wantsAnything())
    numberWants();
}

/// Puts the number of its class in the place of what each dim leads to, which comes before it and
/// so has one already.
void DimClasses::numberClasses() {
  for (int32_t dim = 0, numDims = roots.size(); dim < numDims; ++dim)
    if (roots[dim] >= 0)
      roots[dim] = roots[dim] == dim ? numClasses++ : roots[roots[dim]];
}

/// Where one dim alone wants something, which may be like nothing else, no table is needed: these
/// numbers are odd.
void DimClasses::numberWants() {
  KeyNumbers numbers;
  std::vector<int32_t> key;
  wantsNumbers.reserve(graph.numValues());
  constexpr int32_t maxRank = 8, maxWants = std::numeric_limits<int32_t>::max() / (2 * maxRank) - 1;
  for (int32_t v = 0; v < graph.numValues(); ++v) {
    key.clear();
    int32_t numWanting = 0, wanting = 0;
    for (int32_t d = 0, rank = rankOf(v); d < rank; ++d) {
      key.push_back(wantIndexOf(roots[firstDim[v] + d]));
      if (key.back() == none)
        continue;
      ++numWanting;
      wanting = d;
    }
    if (numWanting == 0)
      wantsNumbers.push_back(none);
    else if (numWanting == 1 && wanting < maxRank && key[wanting] < maxWants)
      wantsNumbers.push_back(2 * (key[wanting] * maxRank + wanting) + 1);
    else
      wantsNumbers.push_back(2 * numbers.number(key).first);
  }
}

/// Puts each dim of a value into a class of its own, or into none.
void DimClasses::startClasses(int32_t v, bool isFree) {
  const ShardGraph::Value &value = graph.value(v);
  const Sharding *sharding =
      value.sharding == none ? nullptr : &graph.sharding(value.sharding).sharding;
  bool isFixed =
      isFree || (sharding && value.state == ShardingState::pinned && !sharding->replicated.empty());
  for (int32_t dim = firstDim[v]; dim < firstDim[v + 1]; ++dim)
    roots[dim] = isFixed || (sharding && !sharding->dims[dim - firstDim[v]].open) ? none : dim;
}

/// The root of a class is its first dim, so classes do not depend on the order of uniting.
int32_t DimClasses::rootOf(int32_t dim) {
  while (roots[dim] != dim)
    dim = roots[dim] = roots[roots[dim]];
  return dim;
}

int32_t DimClasses::unite(int32_t a, int32_t b) {
  a = rootOf(a);
  b = rootOf(b);
  return roots[std::max(a, b)] = std::min(a, b);
}

//===- Uniting -------------------------------------------------------------===//

static int32_t leadOfDim(const OpRule &rule, const DimFactors &dim) {
  for (int32_t factor : dim)
    if (rule.factors[factor].size != 1)
      return unites(rule.factors[factor]) ? factor : none;
  return none;
}

/// Returns the factor that follows the leading one of a dim, if axes pass along both.
static int32_t followerInDim(const OpRule &rule, const DimFactors &dim) {
  int32_t lead = leadOfDim(rule, dim);
  if (lead == none)
    return none;
  auto isNext = [&](int32_t factor) { return factor != lead && rule.factors[factor].size != 1; };
  auto next = std::find_if(dim.begin(), dim.end(), isNext);
  return next != dim.end() && unites(rule.factors[*next]) ? *next : none;
}

static bool isAddressed(const OpRule &rule, const DimFactors &dim) {
  return std::any_of(dim.begin(), dim.end(), [&](int32_t factor) {
    return rule.factors[factor].kind == FactorKind::index && rule.factors[factor].size != 1;
  });
}

void DimClasses::collectLeads() {
  ruleLeads.resize(graph.numRules());
  for (int32_t r = 0; r < graph.numRules(); ++r) {
    const OpRule &rule = graph.rule(r);
    ruleLeads[r].numFactors = rule.numFactors();
    for (int64_t t = 0; t < rule.numTensors(); ++t) {
      ruleLeads[r].firstDim.push_back(ruleLeads[r].factors.size());
      for (const DimFactors &dim : rule.tensor(t)) {
        ruleLeads[r].factors.push_back(leadOfDim(rule, dim));
        int32_t lead = ruleLeads[r].factors.back();
        if (int32_t next = followerInDim(rule, dim); next != none)
          ruleLeads[r].following.push_back(
              {lead, next, rule.factors[lead].size, rule.factors[next].size});
        ruleLeads[r].addresses |= isAddressed(rule, dim);
      }
    }
  }
}

void DimClasses::uniteOp(const ShardGraph::Op &op) {
  absl::Span<const int32_t> tensors = graph.tensorsOf(op);
  const RuleLeads &leads = ruleLeads[op.rule];
  if (memberOf.size() < static_cast<size_t>(leads.numFactors))
    memberOf.resize(leads.numFactors);
  int32_t *members = memberOf.data();
  for (int64_t factor = 0; factor < leads.numFactors; ++factor) // Few: less than a call.
    members[factor] = none;
  bool hasFixed = false;
  const int32_t *lead = leads.factors.data(); // Of the dims of all tensors in turn.
  for (int32_t v : tensors)
    for (int32_t dim = firstDim[v], end = firstDim[v + 1]; dim < end; ++dim) {
      int32_t factor = *lead++;
      hasFixed |= roots[dim] < 0;
      if (factor < 0 || roots[dim] < 0)
        continue;
      members[factor] = members[factor] < 0 ? dim : unite(members[factor], dim);
    }
  noteFollowing(leads);
  if (!hasFixed)
    return;
  lead = leads.factors.data();
  for (int32_t v : tensors)
    for (int32_t d = 0; d < rankOf(v); ++d)
      if (int32_t factor = *lead++;
          factor >= 0 && roots[firstDim[v] + d] < 0 && memberOf[factor] >= 0)
        claim(memberOf[factor], v, d);
}

void DimClasses::noteFollowing(const RuleLeads &leads) {
  for (auto [lead, next, leadSize, nextSize] : leads.following)
    if (memberOf[lead] >= 0 && memberOf[next] >= 0)
      rowsOf.push_back({memberOf[lead], memberOf[next], leadSize, nextSize});
}

std::vector<std::pair<int32_t, int32_t>> DimClasses::wantedAxes() const {
  std::vector<std::pair<int32_t, int32_t>> axes;
  for (const Want &want : wants)
    for (const WantedAxis &wanted : want.axes)
      if (std::pair axis(want.mesh, wanted.axis.axis);
          std::find(axes.begin(), axes.end(), axis) == axes.end()) // They are few.
        axes.push_back(axis);
  std::sort(axes.begin(), axes.end());
  return axes;
}

//===- Claims --------------------------------------------------------------===//

/// Whether an axis has devices to split along. One of size 1 says nothing, nor is it in any order.
static bool splits(const AxisRef &axis) { return axis.size > 1; }

/// What a pinned dim says for those that share a factor with it.
void DimClasses::claim(int32_t dimClass, int32_t value, int32_t dim) {
  int32_t index = graph.value(value).sharding;
  if (index == none || graph.value(value).state != ShardingState::pinned)
    return;
  const AxisList &axes = graph.sharding(index).sharding.dims[dim].axes;
  if (std::any_of(axes.begin(), axes.end(), splits))
    claims.push_back({dimClass, value, dim});
}

/// What the open dims of a pinned value say for their own classes.
void DimClasses::claimOwn(int32_t value) {
  for (int32_t d = 0; d < firstDim[value + 1] - firstDim[value]; ++d)
    if (roots[firstDim[value] + d] >= 0)
      claim(firstDim[value] + d, value, d);
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
  for (Claim &claim : claims) {
    claim.dimClass = roots[claim.dimClass];
    ++next[claim.dimClass];
  }
  std::exclusive_scan(next.begin(), next.end(), next.begin(), 0);
  std::vector<Claim> sorted(claims.size());
  for (const Claim &claim : claims)
    sorted[next[claim.dimClass]++] = claim;
  claims = std::move(sorted);
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
  for (size_t next = 0; next < claims.size();) {
    const Claim &first = claims[next];
    bool isAlone = true;
    ofClass.clear();
    for (; next < claims.size() && claims[next].dimClass == first.dimClass; ++next) {
      isAlone &= claims[next].value == first.value && claims[next].dim == first.dim;
      ofClass.push_back(claims[next]);
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
  claims = {};
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
