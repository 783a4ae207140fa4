#include "spmd/ir/cost/Collectives.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace spmd {

Picoseconds toPicoseconds(double seconds) {
  double rounded = std::round(seconds * picosecondsPerSecond);
  constexpr double most = static_cast<double>(std::numeric_limits<Picoseconds>::max());
  return rounded >= most ? std::numeric_limits<Picoseconds>::max()
                         : static_cast<Picoseconds>(rounded);
}

std::optional<CollectiveKind> collectiveKindOf(std::string_view name) {
  constexpr std::pair<std::string_view, CollectiveKind> kinds[] = {
      {"all_gather", CollectiveKind::allGather},
      {"all_reduce", CollectiveKind::allReduce},
      {"cross-replica-sum", CollectiveKind::allReduce},
      {"reduce_scatter", CollectiveKind::reduceScatter},
      {"all_to_all", CollectiveKind::allToAll},
      {"ragged_all_to_all", CollectiveKind::allToAll},
      {"collective_permute", CollectiveKind::permute},
      {"collective_broadcast", CollectiveKind::broadcast},
      {"collective_reduce", CollectiveKind::broadcast}};
  for (auto [known, kind] : kinds)
    if (known == name)
      return kind;
  return std::nullopt;
}

TierSpan CollectiveModel::spanOf(absl::Span<const int64_t> group) const {
  TierSpan span;
  std::vector<int64_t> blocks(group.begin(), group.end()); // Of the tier below, each once.
  std::sort(blocks.begin(), blocks.end());
  blocks.erase(std::unique(blocks.begin(), blocks.end()), blocks.end());
  span.size = static_cast<int64_t>(blocks.size());
  int64_t product = 1, inner = 1;
  for (const LinkTier &tier : profile.tiers) {
    bool isLast = &tier == &profile.tiers.back();
    int64_t blocksInside = isLast ? std::numeric_limits<int64_t>::max() : tier.devices / inner;
    int64_t width = 0, run = 0;
    std::vector<int64_t> outer;
    for (int64_t block : blocks) {
      int64_t parent = block / blocksInside;
      if (outer.empty() || outer.back() != parent) {
        outer.push_back(parent);
        run = 0;
      }
      width = std::max(width, ++run);
    }
    span.widths.push_back(width);
    product *= width;
    inner = tier.devices;
    blocks = std::move(outer);
  }
  span.isRegular = product == span.size;
  return span;
}

/// Returns the rounds in which `width` devices learn of each other.
static double stepsOf(const LinkTier &tier, int64_t width) {
  return tier.isRing ? static_cast<double>(width / 2)
                     : std::ceil(std::log2(static_cast<double>(width)));
}

double CollectiveModel::secondsOn(const LinkTier &tier, CollectiveKind kind, double bytes,
                                  int64_t width) const {
  if (width <= 1)
    return 0;
  double w = static_cast<double>(width), share = (w - 1) / w;
  double latency = stepsOf(tier, width) * tier.latencySeconds;
  switch (kind) {
  case CollectiveKind::allGather:
  case CollectiveKind::reduceScatter:
    return latency + bytes * share / tier.bytesPerSecond;
  case CollectiveKind::allReduce:
    return 2 * (latency + bytes * share / tier.bytesPerSecond);
  case CollectiveKind::allToAll: {
    if (tier.isRing) { // The sum of all distances in a ring, over its links.
      double hops = width % 2 == 0 ? w / 4 : (w * w - 1) / (4 * w);
      return latency + bytes * hops / tier.bytesPerSecond;
    }
    double direct = (w - 1) * tier.latencySeconds + bytes * share / tier.bytesPerSecond;
    double bruck = latency + stepsOf(tier, width) * bytes / 2 / tier.bytesPerSecond;
    return std::min(direct, bruck);
  }
  case CollectiveKind::broadcast:
  case CollectiveKind::permute:
    return latency + bytes / tier.bytesPerSecond;
  }
  return 0;
}

Picoseconds CollectiveModel::withStart(double seconds) const {
  return toPicoseconds(profile.collectiveStartSeconds + seconds);
}

CollectiveCost CollectiveModel::costOf(CollectiveKind kind, int64_t bytes,
                                       const TierSpan &span) const {
  CollectiveCost cost;
  if (span.size <= 1 || bytes == 0)
    return cost;
  double all = static_cast<double>(bytes), byTier = 0;
  LinkTier slowest = profile.tiers.front();
  bool isFirst = true;
  int numTiers = 0;
  double inner = 1; // Members inside the blocks of the tier below.
  for (size_t i = 0; i < span.widths.size(); ++i) {
    int64_t width = span.widths[i];
    if (width <= 1)
      continue;
    const LinkTier &tier = profile.tiers[i];
    cost.tier = static_cast<int32_t>(i);
    ++numTiers;
    slowest.latencySeconds =
        isFirst ? tier.latencySeconds : std::max(slowest.latencySeconds, tier.latencySeconds);
    slowest.bytesPerSecond =
        isFirst ? tier.bytesPerSecond : std::min(slowest.bytesPerSecond, tier.bytesPerSecond);
    slowest.isRing = (!isFirst && slowest.isRing) || tier.isRing;
    isFirst = false;
    // Gathers go from the outermost tier in, and reductions out, so that slow links carry the
    // parts of single devices. An exchange sends all it has over each tier.
    bool isDivided = kind != CollectiveKind::allToAll && kind != CollectiveKind::broadcast;
    byTier += secondsOn(tier, kind, isDivided ? all / inner : all, width);
    inner *= static_cast<double>(width);
  }
  double atOnce = secondsOn(slowest, kind, all, span.size);
  cost.isHierarchical = numTiers > 1 && span.isRegular && byTier < atOnce;
  cost.time = withStart(cost.isHierarchical ? byTier : atOnce);
  return cost;
}

CollectiveCost CollectiveModel::costOfPermute(int64_t bytes,
                                              absl::Span<const int64_t> pairs) const {
  CollectiveCost cost;
  double slowest = 0;
  for (size_t i = 0; i + 1 < pairs.size(); i += 2) {
    int64_t source = pairs[i], target = pairs[i + 1], inner = 1;
    for (size_t t = 0; t < profile.tiers.size() && source != target; ++t) {
      const LinkTier &tier = profile.tiers[t];
      bool isLast = t + 1 == profile.tiers.size();
      if (!isLast && source / tier.devices != target / tier.devices) {
        inner = tier.devices;
        continue;
      }
      double hops = 1, bandwidth = tier.bytesPerSecond;
      if (tier.isRing) { // Each message takes the short way, over links of one direction.
        int64_t around = tier.devices / inner;
        int64_t apart = std::abs(source / inner - target / inner) % around;
        hops = static_cast<double>(std::max<int64_t>(1, std::min(apart, around - apart)));
        bandwidth /= 2;
      }
      slowest =
          std::max(slowest, hops * (tier.latencySeconds + static_cast<double>(bytes) / bandwidth));
      cost.tier = std::max(cost.tier, static_cast<int32_t>(t));
      break;
    }
  }
  if (cost.tier >= 0)
    cost.time = withStart(slowest);
  return cost;
}

} // namespace spmd
