#include "spmd/ir/classes/DimClasses.h"

#include "spmd/ir/sharding/Excluding.h"

#include <algorithm>
#include <limits>
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
    int32_t rank = rankOf(v), numWanting = 0, wanting = 0;
    const int32_t *classOfDim = roots.data() + firstDim[v];
    for (int32_t d = 0; d < rank; ++d)
      if (wantIndexOf(classOfDim[d]) != none) {
        ++numWanting;
        wanting = d;
      }
    int32_t last = numWanting == 0 ? none : wantIndexOf(classOfDim[wanting]);
    if (numWanting == 0) {
      wantsNumbers.push_back(none);
    } else if (numWanting == 1 && wanting < maxRank && last < maxWants) {
      wantsNumbers.push_back(2 * (last * maxRank + wanting) + 1);
    } else {
      key.resize(rank);
      for (int32_t d = 0; d < rank; ++d)
        key[d] = wantIndexOf(classOfDim[d]);
      wantsNumbers.push_back(2 * numbers.number(key).first);
    }
  }
}

/// Puts each dim of a value into a class of its own, or into none.
void DimClasses::startClasses(int32_t v, bool isFree) {
  const ShardGraph::Value &value = graph.value(v);
  const Sharding *sharding =
      value.sharding == none ? nullptr : &graph.sharding(value.sharding).sharding;
  bool isFixed =
      isFree || (sharding && value.state == ShardingState::pinned && !sharding->replicated.empty());
  for (int32_t d = 0, first = firstDim[v], rank = rankOf(v); d < rank; ++d) {
    bool isOpen = !isFixed && (!sharding || sharding->dims[d].open);
    roots[first + d] = isOpen ? first + d : claims(v, d) ? claiming : none;
  }
}

/// The root of a class is its first dim, so classes do not depend on the order of uniting.
int32_t DimClasses::rootOf(int32_t dim) {
  while (roots[dim] != dim)
    dim = roots[dim] = roots[roots[dim]];
  return dim;
}

int32_t DimClasses::unite(int32_t a, int32_t b) {
  a = rootOf(a);
  if (roots[b] == a) // As mostly, where both were met before.
    return a;
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

bool isAddressed(const OpRule &rule, const DimFactors &dim) {
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
  bool isClaimed = false;
  const int32_t *lead = leads.factors.data(); // Of the dims of all tensors in turn.
  for (int32_t v : tensors)
    for (int32_t dim = firstDim[v], end = firstDim[v + 1]; dim < end; ++dim) {
      int32_t factor = *lead++;
      isClaimed |= roots[dim] == claiming;
      if (factor < 0 || roots[dim] < 0)
        continue;
      members[factor] = members[factor] < 0 ? dim : unite(members[factor], dim);
    }
  noteFollowing(leads);
  if (!isClaimed)
    return;
  lead = leads.factors.data();
  for (int32_t v : tensors)
    for (int32_t d = 0; d < rankOf(v); ++d)
      if (int32_t factor = *lead++;
          factor >= 0 && roots[firstDim[v] + d] == claiming && memberOf[factor] >= 0)
        claimed.push_back({memberOf[factor], v, d});
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

} // namespace spmd
