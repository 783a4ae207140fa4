#include "spmd/ir/rules/SplitCache.h"

#include "spmd/ir/rules/AllSplits.h"

#include <algorithm>

namespace spmd {

/// Whether `strategy` has a way to split all factors that have axes.
static bool isDone(const Strategy &strategy, const FactorAxes &factorAxes) {
  for (int32_t f = 0; f < strategy.rule.numFactors(); ++f)
    if (!factorAxes[f].empty() && !canSplit(strategy.rule, strategy.windows, f))
      return false;
  return true;
}

/// Whether devices read rows of each other through windows.
static bool readsNeighbours(const Strategy &strategy, const FactorAxes &factorAxes) {
  return std::any_of(strategy.windows.begin(), strategy.windows.end(),
                     [&](const WindowUse &use) { return !factorAxes[use.factor].empty(); });
}

/// A strategy that can split what is split comes before one that merely has such dims, and first
/// comes one that needs no rows of neighbours for it.
static std::unique_ptr<const Split> findSplit(const Strategies &strategies,
                                              absl::Span<const Sharding *const> around) {
  std::unique_ptr<const Split> fitting;
  int best = -1;
  for (const Strategy &strategy : strategies) {
    std::optional<FactorAxes> axes = splitOf(strategy, around);
    if (!axes)
      continue;
    int rank = !isDone(strategy, *axes) ? 0 : readsNeighbours(strategy, *axes) ? 1 : 2;
    if (rank > best) {
      best = rank;
      fitting = std::make_unique<const Split>(Split{&strategy, *std::move(axes)});
    }
    if (rank == 2)
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
