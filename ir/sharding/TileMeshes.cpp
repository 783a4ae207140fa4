// Several meshes for shardings that no one mesh has axes for.

#include "spmd/ir/sharding/TileSharding.h"

#include <algorithm>

namespace spmd {

namespace {

/// Shardings that one mesh has axes for.
struct Alike {
  std::vector<const TileSharding *> shardings;
  Mesh mesh;
};

/// Adds `sharding` to what it goes with, if there is such a mesh.
bool join(Alike &alike, const TileSharding &sharding, int64_t numDevices) {
  alike.shardings.push_back(&sharding);
  absl::StatusOr<Mesh> mesh = meshFor(alike.shardings, numDevices);
  if (!mesh.ok()) {
    alike.shardings.pop_back();
    return false;
  }
  alike.mesh = *std::move(mesh);
  return true;
}

} // namespace

absl::StatusOr<std::vector<Mesh>> meshesFor(absl::Span<const TileSharding *const> shardings,
                                            int64_t numDevices) {
  absl::StatusOr<Mesh> one = meshFor(shardings, numDevices);
  if (one.ok())
    return std::vector<Mesh>{*std::move(one)};
  constexpr size_t mostMeshes = 8;
  std::vector<Alike> found;
  for (const TileSharding *each : shardings) {
    if (std::any_of(found.begin(), found.end(),
                    [&](Alike &alike) { return join(alike, *each, numDevices); }))
      continue;
    Alike own;
    if (found.size() == mostMeshes || !join(own, *each, numDevices))
      return one.status();
    if (!found.empty() && own.mesh.numDevices() != found.front().mesh.numDevices())
      return one.status();
    found.push_back(std::move(own));
  }
  std::vector<Mesh> meshes;
  for (Alike &alike : found)
    meshes.push_back(std::move(alike.mesh));
  return meshes;
}

} // namespace spmd
