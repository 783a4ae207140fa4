#include "spmd/ir/rules/AllSplits.h"

#include "spmd/ir/rules/Split.h"

#include <algorithm>

namespace spmd {

bool canSplit(const OpRule &rule, absl::Span<const WindowUse> windows, int32_t factor) {
  switch (rule.factors[factor].kind) {
  case FactorKind::pass:
  case FactorKind::reduce:
  case FactorKind::index:
  case FactorKind::fold:
  case FactorKind::sort:
  case FactorKind::transpose:
    return true;
  case FactorKind::window:
  case FactorKind::scan:
    return std::any_of(windows.begin(), windows.end(),
                       [&](const WindowUse &use) { return use.factor == factor; });
  case FactorKind::whole:
    return false;
  }
  return false;
}

std::optional<ResultDim> innerPlace(const OpRule &rule, int32_t factor) {
  std::optional<ResultDim> place;
  for (size_t r = 0; r < rule.results.size(); ++r)
    for (size_t d = 0; d < rule.results[r].size(); ++d) {
      const DimFactors &factors = rule.results[r][d];
      if (std::find(factors.begin(), factors.end(), factor) == factors.end())
        continue;
      auto major = std::find_if(factors.begin(), factors.end(),
                                [&](int32_t f) { return rule.factors[f].size > 1; });
      if (major != factors.end() && *major == factor)
        return std::nullopt;
      place = ResultDim{r, d};
    }
  return place;
}

namespace {

/// Whether all tensors of the op can lie as `factorAxes` says, and its results are one state.
bool isPossible(const OpRule &rule, const FactorAxes &factorAxes) {
  if (!partialResult(rule, factorAxes, PartialState()))
    return false;
  for (int64_t t = 0; t < rule.numTensors(); ++t) {
    bool isExact = true;
    unproject(rule, rule.tensor(t), factorAxes, &isExact);
    if (!isExact)
      return false;
  }
  return true;
}

void collect(const Strategy &strategy, const Mesh &mesh, size_t axis, FactorAxes &current,
             std::vector<FactorAxes> &splits) {
  if (axis == mesh.axes().size()) {
    if (isPossible(strategy.rule, current))
      splits.push_back(current);
    return;
  }
  collect(strategy, mesh, axis + 1, current, splits);
  for (int64_t f = 0; f < strategy.rule.numFactors(); ++f) {
    if (!canSplit(strategy.rule, strategy.windows, f) || strategy.rule.factors[f].size == 0)
      continue;
    for (size_t place = 0; place <= current[f].size(); ++place) {
      current[f].insert(current[f].begin() + place, wholeAxis(mesh, axis));
      collect(strategy, mesh, axis + 1, current, splits);
      current[f].erase(current[f].begin() + place);
    }
  }
}

} // namespace

std::vector<FactorAxes> allSplits(const Strategy &strategy, const Mesh &mesh) {
  std::vector<FactorAxes> splits;
  FactorAxes current(strategy.rule.factors.size());
  collect(strategy, mesh, 0, current, splits);
  return splits;
}

} // namespace spmd
