#include "spmd/ir/reshard/Detour.h"

#include <algorithm>
#include <functional>

namespace spmd {

/// Whether the shards of a dim are a fifth larger together than the dim, or more.
static bool isMostlyPadded(int64_t size, int64_t shards) {
  return size > 0 && 5 * shardSize(size, shards) * shards >= 6 * size;
}

/// How many axes lie alike from the first on.
static size_t commonPrefix(const AxisList &a, const AxisList &b) {
  size_t same = 0;
  while (same < a.size() && same < b.size() && a[same] == b[same])
    ++same;
  return same;
}

/// Returns `sharding` with the axes of padded dims that `other` has otherwise along the dims where
/// they pad least; nothing if they are best where they are.
static std::optional<Sharding> evened(const Sharding &sharding, const Sharding &other,
                                      absl::Span<const int64_t> shape) {
  Sharding result = sharding;
  bool hasMoved = false;
  for (size_t from = 0; from < shape.size(); ++from) {
    if (!isMostlyPadded(shape[from], numShards(result.dims[from])))
      continue;
    size_t kept = commonPrefix(sharding.dims[from].axes, other.dims[from].axes);
    int64_t least = numElements(localShape(result, shape));
    std::optional<Sharding> best;
    for (size_t to = 0; to < shape.size(); ++to) {
      Sharding tried = result;
      AxisList &axes = tried.dims[from].axes;
      if (to == from || kept == axes.size())
        continue;
      tried.dims[to].axes.insert(tried.dims[to].axes.end(), axes.begin() + kept, axes.end());
      axes.resize(kept);
      tried = tried.layout();
      if (int64_t elements = numElements(localShape(tried, shape)); elements < least) {
        least = elements;
        best = std::move(tried);
      }
    }
    hasMoved |= best.has_value();
    if (best)
      result = std::move(*best);
  }
  return hasMoved ? std::make_optional(std::move(result)) : std::nullopt;
}

std::vector<std::vector<Sharding>> detoursBetween(const Sharding &source, const Sharding &target,
                                                  absl::Span<const int64_t> shape) {
  std::optional<Sharding> near = evened(source, target, shape);
  std::optional<Sharding> far = evened(target, source, shape);
  std::vector<std::vector<Sharding>> detours;
  if (near && *near != target)
    detours.push_back({*near});
  if (far && *far != source)
    detours.push_back({*far});
  if (near && far && *near != *far)
    detours.push_back({*near, *far});
  return detours;
}

std::optional<Sharding> sharedBy(const Sharding &source, const Sharding &target) {
  Sharding shared = source;
  for (size_t d = 0; d < shared.dims.size(); ++d)
    shared.dims[d].axes.resize(commonPrefix(source.dims[d].axes, target.dims[d].axes));
  if (source.kind != target.kind)
    shared.unreduced.clear();
  auto isWanted = [&](const AxisRef &axis) {
    return std::find(target.unreduced.begin(), target.unreduced.end(), axis) !=
           target.unreduced.end();
  };
  shared.unreduced.erase(
      std::remove_if(shared.unreduced.begin(), shared.unreduced.end(), std::not_fn(isWanted)),
      shared.unreduced.end());
  shared = shared.layout();
  return shared == source || shared == target ? std::nullopt : std::make_optional(shared);
}

} // namespace spmd
