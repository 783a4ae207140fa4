// Strategies that move elements between neighbours: where they are worth a look.
#pragma once

#include "spmd/ir/choose/Choose.h"

#include <algorithm>

namespace spmd {

/// Whether one of `tensors` is split along factor `f` of a dim.
inline bool isSplitAlong(int32_t f, const std::vector<TensorFactors> &factors,
                         absl::Span<const TensorSituation> tensors) {
  for (size_t i = 0; i < tensors.size() && i < factors.size(); ++i)
    for (size_t d = 0; d < factors[i].size() && d < tensors[i].shape.size(); ++d)
      if (!tensors[i].sharding->sharding.dims[d].axes.empty() &&
          std::find(factors[i][d].begin(), factors[i][d].end(), f) != factors[i][d].end())
        return true;
  return false;
}

/// Whether a strategy behind another only moves elements, and does so between neighbours. It is for
/// tensors that are split along its windows on both sides of the op: no neighbour is asked for what
/// one side has, or wants, whole, and axes stay along the dims where they are.
inline bool isOnlyBetween(const Strategy &strategy) {
  auto isMoved = [](const Factor &factor) {
    return factor.kind == FactorKind::pass || factor.kind == FactorKind::window ||
           factor.kind == FactorKind::whole;
  };
  return strategy.flops == 0 && !strategy.windows.empty() &&
         std::all_of(strategy.rule.factors.begin(), strategy.rule.factors.end(), isMoved);
}

/// Whether tensors on both sides of the op are split along a window of `strategy`.
inline bool isBetweenSplits(const Strategy &strategy, absl::Span<const TensorSituation> operands,
                            absl::Span<const TensorSituation> results) {
  return std::any_of(strategy.windows.begin(), strategy.windows.end(), [&](const WindowUse &use) {
    return isSplitAlong(use.factor, strategy.rule.operands, operands) &&
           isSplitAlong(use.factor, strategy.rule.results, results);
  });
}

} // namespace spmd
