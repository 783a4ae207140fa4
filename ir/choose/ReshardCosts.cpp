#include "spmd/ir/choose/ReshardCosts.h"

#include <limits>

namespace spmd {

static void append(const AxisList &axes, std::vector<int32_t> &key) {
  key.push_back(static_cast<int32_t>(axes.size()));
  for (const AxisRef &ref : axes)
    key.insert(key.end(), {ref.axis, ref.preSize, ref.size});
}

/// Appends what tells how a tensor lies: whether its dims are open moves nothing.
static void append(const MeshSharding &sharding, std::vector<int32_t> &key) {
  key.insert(key.end(), {sharding.mesh, static_cast<int32_t>(sharding.sharding.rank())});
  for (const DimSharding &dim : sharding.sharding.dims)
    append(dim.axes, key);
  append(sharding.sharding.replicated, key);
  append(sharding.sharding.unreduced, key);
  key.push_back(static_cast<int32_t>(sharding.sharding.kind));
}

double ReshardCosts::cost(const MeshSharding &from, const MeshSharding &to,
                          absl::Span<const int64_t> shape, int32_t elementBits) {
  if (from == to)
    return 0;
  int32_t elementBytes = std::max(1, elementBits / 8);
  key.assign({elementBytes, static_cast<int32_t>(shape.size())});
  for (int64_t size : shape)
    key.insert(key.end(), {static_cast<int32_t>(size), static_cast<int32_t>(size >> 32)});
  append(from, key);
  append(to, key);
  auto [number, isNew] = numbers.number(key);
  if (isNew)
    known.push_back(estimateCost({&meshAt(from.mesh), from.sharding},
                                 {&meshAt(to.mesh), to.sharding}, shape, elementBytes, model)
                        .value_or(std::numeric_limits<double>::infinity()));
  return known[number];
}

} // namespace spmd
