#include "spmd/ir/rules/SplitCache.h"

#include "spmd/ir/rules/AllSplits.h"

namespace spmd {

/// Whether `strategy` has a way to split all factors that have axes.
static bool isDone(const Strategy &strategy, const FactorAxes &factorAxes) {
  for (int32_t f = 0; f < strategy.rule.numFactors(); ++f)
    if (!factorAxes[f].empty() && !canSplit(strategy.rule, strategy.windows, f))
      return false;
  return true;
}

/// A strategy that can split what is split comes before one that merely has such dims.
static std::unique_ptr<const Split> findSplit(const Strategies &strategies,
                                              absl::Span<const Sharding *const> around) {
  std::unique_ptr<const Split> fitting;
  for (const Strategy &strategy : strategies) {
    std::optional<FactorAxes> axes = splitOf(strategy, around);
    if (!axes)
      continue;
    bool isBest = isDone(strategy, *axes);
    if (isBest || !fitting)
      fitting = std::make_unique<const Split>(Split{&strategy, *std::move(axes)});
    if (isBest)
      break;
  }
  return fitting;
}

const Split *SplitCache::lookup(const Strategies &strategies,
                                absl::Span<const Sharding *const> around) {
  key.assign({&strategies});
  key.insert(key.end(), around.begin(), around.end());
  auto [entry, isNew] = splits.try_emplace(key);
  if (isNew)
    entry->second = findSplit(strategies, around);
  return entry->second.get();
}

} // namespace spmd
