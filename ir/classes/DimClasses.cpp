#include "spmd/ir/classes/DimClasses.h"

#include <algorithm>

namespace spmd {

constexpr int32_t none = ShardGraph::none;

/// Whether dims that share a factor of this kind are split alike.
static bool unites(const Factor &factor) {
  return !factor.blocked && factor.size != 1 &&
         (factor.kind == FactorKind::pass || factor.kind == FactorKind::reduce);
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
    for (int32_t d = 0; d < firstDim[v + 1] - firstDim[v]; ++d)
      roots[firstDim[v] + d] = isFree[v] || isFixed(v, d) ? none : firstDim[v] + d;
  collectLeads();
  for (int32_t op = 0; op < graph.numOps(); ++op)
    uniteOp(graph.op(op));
  for (int32_t v = 0; v < graph.numValues(); ++v)
    if (graph.value(v).state == ShardingState::pinned)
      claimOwn(v);
  for (int32_t dim = 0; dim < numDims; ++dim)
    if (roots[dim] >= 0)
      roots[dim] = rootOf(dim);
  settleWants();
}

bool DimClasses::isFixed(int32_t value, int32_t dim) const {
  const ShardGraph::Value &fixed = graph.value(value);
  if (fixed.sharding == none)
    return false;
  const Sharding &sharding = graph.sharding(fixed.sharding).sharding;
  bool reserves = fixed.state == ShardingState::pinned && !sharding.replicated.empty();
  return reserves || !sharding.dims[dim].open;
}

/// The root of a class is its first dim, so classes do not depend on the order of uniting.
int32_t DimClasses::rootOf(int32_t dim) {
  while (roots[dim] != dim)
    dim = roots[dim] = roots[roots[dim]];
  return dim;
}

void DimClasses::unite(int32_t a, int32_t b) {
  a = rootOf(a);
  b = rootOf(b);
  roots[std::max(a, b)] = std::min(a, b);
}

//===- Uniting -------------------------------------------------------------===//

static int32_t leadOfDim(const OpRule &rule, const DimFactors &dim) {
  for (int32_t factor : dim)
    if (rule.factors[factor].size != 1)
      return unites(rule.factors[factor]) ? factor : none;
  return none;
}

void DimClasses::collectLeads() {
  ruleLeads.resize(graph.numRules());
  for (int32_t r = 0; r < graph.numRules(); ++r) {
    const OpRule &rule = graph.rule(r);
    for (int64_t t = 0; t < rule.numTensors(); ++t) {
      ruleLeads[r].firstDim.push_back(ruleLeads[r].factors.size());
      for (const DimFactors &dim : rule.tensor(t))
        ruleLeads[r].factors.push_back(leadOfDim(rule, dim));
    }
  }
}

void DimClasses::uniteOp(const ShardGraph::Op &op) {
  absl::Span<const int32_t> tensors = graph.tensorsOf(op);
  const RuleLeads &leads = ruleLeads[op.rule];
  memberOf.assign(graph.rule(op.rule).factors.size(), none);
  bool hasFixed = false;
  for (size_t t = 0; t < tensors.size(); ++t) {
    int32_t first = firstDim[tensors[t]], count = firstDim[tensors[t] + 1] - first;
    for (int32_t d = 0; d < count; ++d) {
      int32_t factor = leads.factors[leads.firstDim[t] + d];
      hasFixed |= roots[first + d] < 0;
      if (factor < 0 || roots[first + d] < 0)
        continue;
      if (memberOf[factor] < 0)
        memberOf[factor] = first + d;
      else
        unite(memberOf[factor], first + d);
    }
  }
  if (!hasFixed)
    return;
  for (size_t t = 0; t < tensors.size(); ++t)
    for (int32_t d = 0; d < firstDim[tensors[t] + 1] - firstDim[tensors[t]]; ++d)
      if (int32_t factor = leads.factors[leads.firstDim[t] + d];
          factor >= 0 && roots[firstDim[tensors[t]] + d] < 0 && memberOf[factor] >= 0)
        claim(memberOf[factor], tensors[t], d);
}

std::vector<std::pair<int32_t, int32_t>> DimClasses::wantedAxes() const {
  std::vector<std::pair<int32_t, int32_t>> axes;
  for (const Want &want : wants)
    for (const WantedAxis &wanted : want.axes)
      axes.emplace_back(want.mesh, wanted.axis.axis);
  std::sort(axes.begin(), axes.end());
  axes.erase(std::unique(axes.begin(), axes.end()), axes.end());
  return axes;
}

//===- Claims --------------------------------------------------------------===//

/// What a pinned dim says for those that share a factor with it.
void DimClasses::claim(int32_t dimClass, int32_t value, int32_t dim) {
  int32_t index = graph.value(value).sharding;
  if (index == none || graph.value(value).state != ShardingState::pinned)
    return;
  const DimSharding &sharding = graph.sharding(index).sharding.dims[dim];
  if (!sharding.axes.empty())
    claims.push_back(
        {dimClass, value, dim, graph.priorityOf(value, dim), graph.bytesOf(graph.value(value))});
}

/// What the open dims of a pinned value say for their own classes.
void DimClasses::claimOwn(int32_t value) {
  for (int32_t d = 0; d < firstDim[value + 1] - firstDim[value]; ++d)
    if (roots[firstDim[value] + d] >= 0)
      claim(firstDim[value] + d, value, d);
}

/// Adds an axis unless it overlaps one already wanted. A part that follows the last one becomes one
/// with it.
static void addWanted(Want &want, const WantedAxis &added) {
  for (const WantedAxis &known : want.axes)
    if (overlaps(known.axis, added.axis))
      return;
  if (!want.axes.empty() && canMerge(want.axes.back().axis, added.axis) &&
      want.axes.back().priority == added.priority)
    want.axes.back().axis.size *= added.axis.size;
  else
    want.axes.push_back(added);
}

/// Lets each class want what is claimed for it: the highest priority first, then what the larger
/// tensor claims, then program order. An axis that overlaps one already wanted adds nothing.
void DimClasses::settleWants() {
  for (Claim &claim : claims)
    claim.dimClass = roots[claim.dimClass];
  std::sort(claims.begin(), claims.end(), [](const Claim &a, const Claim &b) {
    return std::tie(a.dimClass, a.priority, b.bytes, a.value, a.dim) <
           std::tie(b.dimClass, b.priority, a.bytes, b.value, b.dim);
  });
  wantIndex.assign(roots.size(), none);
  for (const Claim &claim : claims) {
    const MeshSharding &source = graph.sharding(graph.value(claim.value).sharding);
    if (wantIndex[claim.dimClass] < 0) {
      wantIndex[claim.dimClass] = wants.size();
      wants.push_back({source.mesh, {}});
    }
    Want &want = wants[wantIndex[claim.dimClass]];
    if (want.mesh != source.mesh)
      continue;
    for (const AxisRef &axis : source.sharding.dims[claim.dim].axes)
      addWanted(want, {axis, claim.priority, claim.value, claim.dim});
  }
  claims.clear();
  claims.shrink_to_fit();
}

} // namespace spmd
