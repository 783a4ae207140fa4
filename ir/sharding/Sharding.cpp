#include "spmd/ir/sharding/Sharding.h"

#include <algorithm>

namespace spmd {

Sharding Sharding::replicatedOf(int64_t rank, bool open) {
  Sharding sharding;
  sharding.dims.resize(rank, DimSharding{{}, open});
  return sharding;
}

AxisList Sharding::usedAxes(bool withReplicated) const {
  AxisList used(unreduced.begin(), unreduced.end());
  for (const DimSharding &dim : dims)
    used.insert(used.end(), dim.axes.begin(), dim.axes.end());
  if (withReplicated)
    used.insert(used.end(), replicated.begin(), replicated.end());
  std::sort(used.begin(), used.end());
  return used;
}

bool Sharding::isFullyReplicated() const {
  return unreduced.empty() && std::all_of(dims.begin(), dims.end(),
                                          [](const DimSharding &dim) { return dim.axes.empty(); });
}

static AxisList merged(absl::Span<const AxisRef> axes) {
  AxisList list;
  for (const AxisRef &ref : axes)
    if (ref.size != 1)
      appendMerged(list, ref);
  return list;
}

Sharding Sharding::layout() const {
  Sharding result;
  result.dims.reserve(dims.size());
  for (const DimSharding &dim : dims)
    result.dims.push_back({merged(dim.axes)});
  AxisList sorted = unreduced;
  std::sort(sorted.begin(), sorted.end());
  result.unreduced = merged(sorted);
  if (!result.unreduced.empty())
    result.kind = kind;
  return result;
}

} // namespace spmd
