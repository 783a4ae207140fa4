#include "spmd/passes/why/LeastBytes.h"

#include "spmd/ir/reshard/Reshard.h"

#include <cmath>

namespace spmd {

/// Devices times blocks that are looked at for one move.
constexpr double mostWork = 1 << 24;

std::optional<int64_t> LeastBytes::of(const Cause &cause) {
  if (!cause.from || !cause.to || !cause.type || !cause.type.hasStaticShape())
    return std::nullopt;
  auto [entry, isNew] =
      known.try_emplace({cause.from.getAsOpaquePointer(), cause.to.getAsOpaquePointer(),
                         cause.type.getAsOpaquePointer()});
  if (isNew)
    entry->second = compute(cause);
  return entry->second;
}

std::optional<int64_t> LeastBytes::compute(const Cause &cause) {
  int64_t rank = cause.type.getRank();
  auto decoded = [&](sdy::ShardingAttr attr) -> std::optional<MeshSharding> {
    const MeshSharding *sharding = codec.decode(attr);
    return sharding ? codec.onAxes(*sharding, rank) : std::nullopt;
  };
  std::optional<MeshSharding> from = decoded(cause.from), to = decoded(cause.to);
  if (!from || !to)
    return std::nullopt;
  const Mesh &fromMesh = codec.mesh(from->mesh), &toMesh = codec.mesh(to->mesh);
  double work = static_cast<double>(fromMesh.numDevices());
  for (int64_t d = 0; d < rank; ++d)
    work *= static_cast<double>(numShards(from->sharding.dims[d]) +
                                numShards(to->sharding.dims[d]) + 1);
  if (work > mostWork || fromMesh.numDevices() != toMesh.numDevices())
    return std::nullopt;
  double bytes = lowerBoundBytes({&fromMesh, from->sharding}, {&toMesh, to->sharding},
                                 absl::MakeConstSpan(cause.type.getShape().data(), rank),
                                 std::max(1, elementBits(cause.type.getElementType()) / 8));
  return static_cast<int64_t>(std::floor(bytes));
}

} // namespace spmd
