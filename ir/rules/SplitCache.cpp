#include "spmd/ir/rules/SplitCache.h"

namespace spmd {

static std::unique_ptr<const Split> findSplit(const Strategies &strategies,
                                              absl::Span<const Sharding *const> around) {
  for (const Strategy &strategy : strategies)
    if (std::optional<FactorAxes> axes = splitOf(strategy, around))
      return std::make_unique<const Split>(Split{&strategy, *std::move(axes)});
  return nullptr;
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
