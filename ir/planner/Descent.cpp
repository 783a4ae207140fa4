#include "spmd/ir/planner/Descent.h"

#include <algorithm>
#include <cstring>

namespace spmd {

/// A change must lower the cost by more than rounding may.
constexpr double slack = 1e-9;

void Descent::run(int mostSweeps) {
  for (int sweep = 0; sweep < mostSweeps; ++sweep) {
    bool changed = false;
    for (int32_t i = 0; i < graph.numNodes(); ++i)
      changed |= improve(sweep % 2 == 0 ? i : graph.numNodes() - 1 - i);
    if (!changed)
      return;
  }
}

bool Descent::improve(int32_t n) {
  if (graph.optionsOf(n).size() == 1)
    return false;
  int32_t option = best(n);
  if (option == state.option(n))
    return false;
  state.set(n, option);
  return true;
}

/// Notes each value around a node once, with what others want of it.
void Descent::lookAround(int32_t n) {
  numAround = 0;
  const OptionSet &options = graph.optionsOf(n);
  for (int32_t t = 0; t < options.numTensors; ++t) {
    int32_t v = graph.valueOf(n, t);
    if (v == DecisionGraph::none)
      continue;
    if (numAround == around.size())
      around.emplace_back();
    Surrounding &each = around[numAround++];
    each.value = v;
    each.tensor = t;
    each.isMade = t >= options.numOperands;
    each.wanted.clear();
    int32_t own = options.layoutOf(state.option(n), t);
    for (const PlanState::Want &want : state.wantsOf(v))
      if (each.isMade || want.layout != own || want.count > 1)
        each.wanted.push_back(want.layout);
  }
}

int32_t Descent::best(int32_t n) {
  lookAround(n);
  auto weight = static_cast<float>(graph.node(n).weight);
  int32_t weightBits;
  std::memcpy(&weightBits, &weight, sizeof(weightBits));
  key.assign({graph.node(n).options, weightBits, state.option(n)});
  for (size_t i = 0; i < numAround; ++i) {
    const Surrounding &each = around[i];
    key.insert(key.end(),
               {each.tensor, each.isMade ? DecisionGraph::none : state.layoutOf(each.value)});
    key.insert(key.end(), each.wanted.begin(), each.wanted.end());
    key.push_back(-2 /* ends a list of layouts */);
  }
  auto [number, isNew] = keys.number(key);
  if (!isNew)
    return answers[number];
  answers.push_back(search(n));
  return answers.back();
}

/// Returns the option of least cost; of equal ones, the first.
int32_t Descent::search(int32_t n) {
  const OptionSet &options = graph.optionsOf(n);
  bounds.resize(options.size());
  for (int32_t o = 0; o < options.size(); ++o)
    bounds[o] = graph.node(n).weight * options.costs[o];
  for (size_t i = 0; i < numAround; ++i) {
    Surrounding &each = around[i];
    each.prices = pricesOf(n, each);
    const std::vector<double> &least = prices[each.prices].least;
    const std::vector<int32_t> &indexOf = options.sides[each.tensor].indexOf;
    double weight = graph.value(each.value).weight;
    for (int32_t o = 0; o < options.size(); ++o)
      bounds[o] += weight * least[indexOf[o]];
  }
  int32_t best = state.option(n);
  double least = costOf(n, best) * (1 - slack);
  candidates.clear();
  for (int32_t o = 0; o < options.size(); ++o)
    if (double bound = bounds[o] * (1 - slack); bound < least)
      candidates.emplace_back(bound, o);
  std::sort(candidates.begin(), candidates.end());
  for (auto [bound, o] : candidates) {
    if (bound > least)
      break;
    double cost = costOf(n, o);
    if (cost < least || (cost == least && o < best && best != state.option(n))) {
      least = cost;
      best = o;
    }
  }
  return best;
}

int32_t Descent::pricesOf(int32_t n, const Surrounding &each) {
  int32_t kind = graph.value(each.value).kind;
  key.assign({graph.node(n).options, each.tensor, kind,
              each.isMade ? DecisionGraph::none : state.layoutOf(each.value)});
  key.insert(key.end(), each.wanted.begin(), each.wanted.end());
  auto [number, isNew] = priceKeys.number(key);
  if (isNew) {
    const OptionSet::Side &side = graph.optionsOf(n).sides[each.tensor];
    Prices &known = prices.emplace_back();
    for (int32_t own : side.layouts)
      known.least.push_back(withOwn(each, own, &PlanState::leastCostOfMoves));
    known.exact.assign(side.layouts.size(), -1);
  }
  return number;
}

double Descent::withOwn(const Surrounding &each, int32_t own, PriceOfMoves price) {
  int32_t kind = graph.value(each.value).kind;
  if (each.isMade)
    return (state.*price)(kind, own, each.wanted);
  wanted = each.wanted;
  auto at = std::lower_bound(wanted.begin(), wanted.end(), own);
  if (at == wanted.end() || *at != own)
    wanted.insert(at, own);
  return (state.*price)(kind, state.layoutOf(each.value), wanted);
}

double Descent::costOf(int32_t n, int32_t option) {
  const OptionSet &options = graph.optionsOf(n);
  double cost = graph.node(n).weight * options.costs[option];
  for (size_t i = 0; i < numAround; ++i) {
    const Surrounding &each = around[i];
    double &known = prices[each.prices].exact[options.sides[each.tensor].indexOf[option]];
    if (known < 0)
      known = withOwn(each, options.layoutOf(option, each.tensor), &PlanState::costOfMoves);
    cost += graph.value(each.value).weight * known;
  }
  return cost;
}

} // namespace spmd
