#include "spmd/ir/planner/Descent.h"

#include <algorithm>
#include <cstring>

namespace spmd {

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
  const OptionSet &options = graph.optionsOf(n);
  int32_t best = state.option(n);
  double least = costOf(n, best) * (1 - 1e-9);
  for (int32_t o = 0; o < options.size(); ++o) {
    if (graph.node(n).weight * options.costs[o] >= least)
      continue;
    if (double cost = costOf(n, o); cost < least) {
      least = cost;
      best = o;
    }
  }
  answers.push_back(best);
  return best;
}

double Descent::costOf(int32_t n, int32_t option) {
  const OptionSet &options = graph.optionsOf(n);
  double cost = graph.node(n).weight * options.costs[option];
  for (size_t i = 0; i < numAround; ++i) {
    const Surrounding &each = around[i];
    const DecisionGraph::Value &value = graph.value(each.value);
    int32_t own = options.layoutOf(option, each.tensor);
    wanted = each.wanted;
    if (!each.isMade) {
      auto at = std::lower_bound(wanted.begin(), wanted.end(), own);
      if (at == wanted.end() || *at != own)
        wanted.insert(at, own);
    }
    int32_t made = each.isMade ? own : state.layoutOf(each.value);
    cost += value.weight * state.costOfMoves(value.kind, made, wanted);
  }
  return cost;
}

} // namespace spmd
