#include "spmd/ir/sharding/Subset.h"

#include "spmd/ir/sharding/TileGrid.h"

#include "absl/strings/str_cat.h"

#include <algorithm>

namespace spmd {

namespace {

using Kind = TileSharding::Kind;
using Devices = std::vector<int64_t>;

absl::Status notDividing(const std::string &what, int64_t count, int64_t numDevices) {
  return absl::InvalidArgumentError(absl::StrCat(what, " is over ", count, " of ", numDevices,
                                                 " devices; their number must divide ",
                                                 numDevices));
}

/// Returns the devices below `numDevices` that `used`, which names each once, does not name.
Devices othersThan(const Devices &used, int64_t numDevices) {
  std::vector<bool> isUsed(numDevices, false);
  for (int64_t device : used)
    isUsed[device] = true;
  Devices others;
  for (int64_t device = 0; device < numDevices; ++device)
    if (!isUsed[device])
      others.push_back(device);
  return others;
}

/// Returns `used`, in groups of `group` devices that hold the same, with as many of `others` behind
/// each group: neighbours of each other, or one of every so many.
Devices interleaved(const Devices &used, int64_t group, const Devices &others, bool areNeighbours) {
  size_t numGroups = used.size() / group, copies = others.size() / numGroups;
  Devices all;
  for (size_t i = 0; i < numGroups; ++i) {
    all.insert(all.end(), used.begin() + i * group, used.begin() + (i + 1) * group);
    for (size_t k = 0; k < copies; ++k)
      all.push_back(others[areNeighbours ? i * copies + k : k * numGroups + i]);
  }
  return all;
}

absl::StatusOr<TileSharding> tiledWithIdle(const TileSharding &sharding, int64_t numDevices) {
  Devices used = devicesOf(sharding);
  int64_t count = used.size();
  for (int64_t device : used)
    if (device >= numDevices)
      return absl::InvalidArgumentError(
          absl::StrCat("sharding ", sharding.str(), " names device ", device, " of ", numDevices));
  if (count == numDevices)
    return sharding;
  if (numDevices % count != 0)
    return notDividing("sharding " + sharding.str(), count, numDevices);
  if (numDevices > mostListed)
    return absl::InvalidArgumentError(absl::StrCat("sharding ", sharding.str(), " is over ", count,
                                                   " of ", numDevices, " devices; at most ",
                                                   mostListed, " can be listed"));
  TileSharding all = sharding;
  all.reshape.clear();
  all.permutation.clear();
  bool hasReplicas = !all.subgroups.empty() && all.subgroups.back() == Subgroup::replicated;
  if (!hasReplicas) {
    all.subgroups.push_back(Subgroup::replicated);
    all.tiles.push_back(1);
  }
  int64_t group = all.tiles.back();
  all.tiles.back() *= numDevices / count;
  Devices others = othersThan(used, numDevices);
  all.devices = interleaved(used, group, others, /*areNeighbours=*/true);
  if (!gridIn({}, all).ok()) {
    TileSharding spread = all;
    spread.devices = interleaved(used, group, others, /*areNeighbours=*/false);
    if (gridIn({}, spread).ok())
      return spread;
  }
  return all;
}

/// Calls `visit(count, above)` for each sharding in `sharding` that names devices: how many, and a
/// number above all of them.
template <typename Visit> void forEachCount(const TileSharding &sharding, Visit visit) {
  for (const TileSharding &element : sharding.elements)
    forEachCount(element, visit);
  if (sharding.kind == Kind::maximal)
    visit(1, sharding.device + 1);
  if (sharding.kind == Kind::named)
    visit(sharding.mesh.numDevices(), sharding.mesh.numDevices());
  if (sharding.kind == Kind::tiled) {
    int64_t count = sharding.numDevices(), above = count;
    for (int64_t device : sharding.devices)
      above = std::max(above, device + 1);
    visit(count, above);
  }
}

} // namespace

absl::StatusOr<Mesh> withIdleDevices(const Mesh &mesh, int64_t numDevices) {
  int64_t count = mesh.numDevices();
  if (mesh.axes().empty() || count == numDevices)
    return mesh;
  if (numDevices % count != 0)
    return notDividing("mesh " + mesh.str(), count, numDevices);
  std::string name = "idle";
  for (int i = 1; mesh.axisNamed(name); ++i)
    name = absl::StrCat("idle_", i);
  std::vector<MeshAxis> axes = {{name, numDevices / count}};
  axes.insert(axes.end(), mesh.axes().begin(), mesh.axes().end());
  std::vector<int64_t> ids;
  if (!mesh.isIota() && numDevices > mostListed)
    return absl::InvalidArgumentError(absl::StrCat("mesh ", mesh.str(), " is over some of ",
                                                   numDevices, " devices; at most ", mostListed,
                                                   " can be listed"));
  if (!mesh.isIota())
    for (int64_t position = 0; position < numDevices; ++position)
      ids.push_back(position / count * count + mesh.deviceAt(position % count));
  return Mesh::create(std::move(axes), std::move(ids));
}

/// Groups of devices that local values are combined over would be those of a smaller program.
static bool isManual(const TileSharding &sharding) {
  auto &kinds = sharding.subgroups;
  return !sharding.manualAxes.empty() ||
         std::find(kinds.begin(), kinds.end(), Subgroup::manual) != kinds.end();
}

absl::StatusOr<TileSharding> withIdleDevices(const TileSharding &sharding, int64_t numDevices) {
  bool hasOwnDevices = sharding.kind == Kind::tiled || sharding.kind == Kind::named;
  if (hasOwnDevices && isManual(sharding) && sharding.numDevices() < numDevices)
    return absl::InvalidArgumentError(
        absl::StrCat("sharding ", sharding.str(), " is manual on ", sharding.numDevices(), " of ",
                     numDevices, " devices; computations on local values need all"));
  if (sharding.kind == Kind::tiled)
    return tiledWithIdle(sharding, numDevices);
  TileSharding all = sharding;
  if (sharding.kind == Kind::named) {
    absl::StatusOr<Mesh> mesh = withIdleDevices(sharding.mesh, numDevices);
    if (!mesh.ok())
      return mesh.status();
    all.mesh = *std::move(mesh);
  }
  for (TileSharding &element : all.elements) {
    absl::StatusOr<TileSharding> each = withIdleDevices(element, numDevices);
    if (!each.ok())
      return each.status();
    element = *std::move(each);
  }
  return all;
}

absl::StatusOr<TileSharding> onDevices(const TileSharding &named,
                                       absl::Span<const int64_t> devices) {
  if (named.kind != Kind::named)
    return named;
  if (static_cast<int64_t>(devices.size()) != named.mesh.numDevices())
    return absl::InvalidArgumentError(
        absl::StrCat("mesh ", named.mesh.str(), " has ", devices.size(), " device ids"));
  TileSharding tiles;
  if (named.isForAnyRank) {
    tiles.kind = !named.manualAxes.empty()       ? Kind::manual
                 : !named.spec.unreduced.empty() ? Kind::unreduced
                                                 : Kind::replicated;
    tiles.reduction = named.reduction;
    return tiles;
  }
  absl::StatusOr<TileSharding> listed = unnamed(named);
  if (!listed.ok())
    return listed.status();
  for (int64_t &device : listed->devices)
    device = devices[device];
  listed->group = named.group;
  return listed;
}

int64_t leastNumDevices(absl::Span<const TileSharding *const> shardings) {
  int64_t most = 0, least = 0;
  for (const TileSharding *sharding : shardings)
    forEachCount(*sharding, [&](int64_t count, int64_t above) {
      if (count < most || count == 0)
        return;
      int64_t own = (above + count - 1) / count * count;
      least = count == most ? std::max(least, own) : own;
      most = count;
    });
  return least;
}

} // namespace spmd
