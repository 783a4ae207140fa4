// From grids of tiles to axes of a mesh, and back.
//
// A dim of a grid is read as *digits* of the device's position: the digit with stride s and size n
// of position p is p / s % n. Axes of a mesh are digits, too, so a grid is expressible where each
// of its digits starts and ends where axes do, or can be cut. All that starts or ends somewhere, of
// all shardings of a program, makes the axes.

#include "spmd/ir/sharding/TileGrid.h"

#include "absl/container/flat_hash_map.h"
#include "absl/strings/str_cat.h"

#include <algorithm>
#include <numeric>

namespace spmd {

namespace {

using Kind = TileSharding::Kind;

/// Visits `sharding` and what is in it, tuples apart, that places devices.
template <typename Visit> void forEachPlaced(const TileSharding &sharding, Visit visit) {
  for (const TileSharding &element : sharding.elements)
    forEachPlaced(element, visit);
  bool isPlaced =
      sharding.kind == Kind::tiled || (sharding.kind == Kind::named && !sharding.isForAnyRank);
  if (isPlaced)
    visit(sharding);
}

/// The places where digits start and end, each with the sharding that first asked for it.
class Borders {
public:
  void add(const TileDigits &digits, const TileSharding &asks) {
    for (const TileDigit &digit : digits) {
      asked.emplace(digit.stride, &asks);
      asked.emplace(digit.stride * digit.size, &asks);
    }
  }

  void add(const TileGrid &grid, const TileSharding &asks) {
    for (const TileDigits &dim : grid.dims)
      add(dim, asks);
    add(grid.manual, asks);
    add(grid.unreduced, asks);
  }

  /// Returns the sizes of the axes between the borders, major first.
  absl::StatusOr<std::vector<int64_t>> sizes(int64_t numDevices) const {
    std::vector<int64_t> sorted = {1, numDevices};
    for (const auto &entry : asked)
      sorted.push_back(entry.first);
    std::sort(sorted.begin(), sorted.end());
    sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
    std::vector<int64_t> sizes;
    for (size_t i = sorted.size(); i-- > 1;) {
      if (sorted[i] % sorted[i - 1] != 0)
        return absl::InvalidArgumentError(absl::StrCat(
            "no mesh has axes for both ", textOf(sorted[i - 1]), " and ", textOf(sorted[i])));
      sizes.push_back(sorted[i] / sorted[i - 1]);
    }
    return sizes;
  }

private:
  std::string textOf(int64_t border) const {
    auto found = asked.find(border);
    return found == asked.end() ? "all devices" : found->second->str();
  }

  absl::flat_hash_map<int64_t, const TileSharding *> asked;
};

absl::StatusOr<Mesh> meshFrom(absl::Span<const int64_t> order,
                              absl::Span<const TileSharding *const> placed, int64_t numDevices) {
  Borders borders;
  for (const TileSharding *sharding : placed) {
    absl::StatusOr<TileGrid> grid = gridIn(order, *sharding);
    if (!grid.ok())
      return absl::InvalidArgumentError(absl::StrCat("no mesh has axes for ", sharding->str(), ": ",
                                                     std::string(grid.status().message())));
    borders.add(*grid, *sharding);
  }
  absl::StatusOr<std::vector<int64_t>> sizes = borders.sizes(numDevices);
  if (!sizes.ok())
    return sizes.status();
  std::vector<MeshAxis> axes;
  for (int64_t size : *sizes)
    axes.push_back({absl::StrCat("axis_", axes.size()), size});
  if (axes.empty())
    axes.push_back({"axis_0", 1});
  return Mesh::create(std::move(axes), std::vector<int64_t>(order.begin(), order.end()));
}

/// Appends the parts of `mesh`'s axes that make up `digits`. Returns false if an axis would have to
/// be cut where it cannot.
template <typename List> bool appendAxes(const Mesh &mesh, const TileDigits &digits, List &list) {
  for (const TileDigit &digit : digits)
    for (int axis = 0; axis < static_cast<int>(mesh.axes().size()); ++axis) {
      int64_t stride = mesh.strideOf(axis), top = stride * mesh.axes()[axis].size;
      int64_t low = std::max(digit.stride, stride), high = std::min(digit.stride * digit.size, top);
      if (low >= high)
        continue;
      if (low % stride != 0 || high % low != 0 || top % high != 0)
        return false;
      appendMerged(list,
                   {axis, static_cast<int32_t>(top / high), static_cast<int32_t>(high / low)});
    }
  return true;
}

bool sortedAxes(const Mesh &mesh, const TileDigits &digits, AxisList &list) {
  AxisList found;
  if (!appendAxes(mesh, digits, found))
    return false;
  std::sort(found.begin(), found.end());
  for (const AxisRef &axis : found)
    appendMerged(list, axis);
  return true;
}

absl::Status notOn(const Mesh &mesh, const TileSharding &sharding) {
  return absl::InvalidArgumentError(
      absl::StrCat("mesh ", mesh.str(), " has no axes for ", sharding.str()));
}

/// Takes over what only named shardings say.
absl::Status keepWishes(const Mesh &mesh, const TileSharding &named, Sharding &sharding) {
  for (size_t i = 0; i < named.spec.dims.size(); ++i)
    sharding.dims[i].open = named.spec.dims[i].open;
  absl::StatusOr<AxisList> axes = resolve(named.mesh, named.spec.replicated);
  if (!axes.ok())
    return axes.status();
  bool isSameOrder = named.mesh.deviceIds() == mesh.deviceIds();
  if (isSameOrder && !sortedAxes(mesh, digitsOfAxes(named.mesh, *axes), sharding.replicated))
    return notOn(mesh, named);
  return absl::OkStatus();
}

} // namespace

std::vector<int64_t> devicesOf(const TileSharding &sharding) {
  return sharding.devices.empty() ? listOf(digitsOfGrid(sharding)) : sharding.devices;
}

absl::StatusOr<Mesh> meshFor(absl::Span<const TileSharding *const> shardings, int64_t numDevices) {
  std::vector<const TileSharding *> placed;
  for (const TileSharding *sharding : shardings)
    forEachPlaced(*sharding, [&](const TileSharding &each) { placed.push_back(&each); });
  const TileSharding *first = nullptr, *named = nullptr;
  for (const TileSharding *sharding : placed) {
    int64_t count = sharding->numDevices();
    if (numDevices != 0 && count != numDevices)
      return absl::InvalidArgumentError(absl::StrCat(
          sharding->str(), " is for ", count, " devices, ",
          first ? first->str() + " for " : std::string("the program for "), numDevices));
    numDevices = count;
    first = first ? first : sharding;
    if (!named && sharding->kind == Kind::named)
      named = sharding;
  }
  auto hasAxesOfNamed = [&](const TileSharding *each) { return hasAxesFor(named->mesh, *each); };
  if (named && std::all_of(placed.begin(), placed.end(), hasAxesOfNamed))
    return named->mesh;
  absl::StatusOr<Mesh> mesh = meshFrom({}, placed, std::max<int64_t>(numDevices, 1));
  // Devices in an order of their own: one of the lists may be that of the mesh.
  constexpr int mostTried = 8;
  int tried = 0;
  for (const TileSharding *sharding : placed) {
    if (mesh.ok() || tried == mostTried)
      break;
    if (sharding->numDevices() > mostListed || !sharding->namesAllDevices())
      continue;
    absl::StatusOr<TileSharding> listed =
        sharding->kind == Kind::named ? unnamed(*sharding) : *sharding;
    if (!listed.ok() || gridIn({}, *listed).ok())
      continue;
    ++tried;
    absl::StatusOr<Mesh> other = meshFrom(positionsIn({}, *listed), placed, numDevices);
    if (other.ok())
      mesh = std::move(other);
  }
  return mesh;
}

bool hasAxesFor(const Mesh &mesh, const TileSharding &sharding) {
  int64_t rank = sharding.kind == Kind::named ? static_cast<int64_t>(sharding.spec.dims.size())
                                              : sharding.rank();
  absl::StatusOr<PlacedTiles> placed = placeOn(mesh, sharding, rank);
  return placed.ok() && std::all_of(placed->manual.begin(), placed->manual.end(),
                                    [&](const AxisRef &axis) { return isWhole(mesh, axis); });
}

absl::StatusOr<PlacedTiles> placeOn(const Mesh &mesh, const TileSharding &sharding, int64_t rank) {
  PlacedTiles result;
  switch (sharding.kind) {
  case Kind::tuple:
    return absl::InvalidArgumentError(
        absl::StrCat("expected the sharding of one tensor, not ", sharding.str()));
  case Kind::maximal:
    if (sharding.device < 0 || sharding.device >= mesh.numDevices())
      return absl::InvalidArgumentError(absl::StrCat("sharding ", sharding.str(), " is on device ",
                                                     sharding.device, ", mesh ", mesh.str(),
                                                     " has ", mesh.numDevices()));
    if (mesh.numDevices() > 1)
      result.device = sharding.device;
    result.sharding = Sharding::replicatedOf(rank, /*open=*/true);
    return result;
  case Kind::unknown:
    result.sharding = Sharding::replicatedOf(rank, /*open=*/true);
    return result;
  case Kind::replicated:
    result.sharding = Sharding::replicatedOf(rank);
    return result;
  case Kind::manual:
  case Kind::unreduced: {
    result.sharding = Sharding::replicatedOf(rank);
    AxisList &target = sharding.kind == Kind::manual ? result.manual : result.sharding.unreduced;
    target = complement(mesh, {});
    result.sharding.kind = sharding.kind == Kind::manual ? ReductionKind::sum : sharding.reduction;
    return result;
  }
  case Kind::named:
  case Kind::tiled:
    break;
  }
  result.sharding = Sharding::replicatedOf(rank);
  if (sharding.isForAnyRank && sharding.manualAxes.empty() && sharding.spec.unreduced.empty())
    return result;
  int64_t ownRank = sharding.kind == Kind::named ? static_cast<int64_t>(sharding.spec.dims.size())
                                                 : sharding.rank();
  if (ownRank != rank && !sharding.isForAnyRank)
    return absl::InvalidArgumentError(absl::StrCat("sharding ", sharding.str(), " is of rank ",
                                                   ownRank, ", the tensor of rank ", rank));
  if (sharding.numDevices() != mesh.numDevices())
    return absl::InvalidArgumentError(absl::StrCat("sharding ", sharding.str(), " is for ",
                                                   sharding.numDevices(), " devices, mesh ",
                                                   mesh.str(), " has ", mesh.numDevices()));
  if (sharding.isForAnyRank) {
    AxisList &target = sharding.manualAxes.empty() ? result.sharding.unreduced : result.manual;
    target = complement(mesh, {});
    result.sharding.kind = sharding.spec.kind;
    return result;
  }
  absl::StatusOr<TileGrid> grid = gridIn(mesh.deviceIds(), sharding);
  if (!grid.ok())
    return absl::IsNotFound(grid.status()) ? notOn(mesh, sharding) : grid.status();
  bool fits = sortedAxes(mesh, grid->manual, result.manual) &&
              sortedAxes(mesh, grid->unreduced, result.sharding.unreduced);
  for (int64_t dim = 0; dim < rank; ++dim)
    fits = fits && appendAxes(mesh, grid->dims[dim], result.sharding.dims[dim].axes);
  if (!fits)
    return notOn(mesh, sharding);
  if (!result.sharding.unreduced.empty())
    result.sharding.kind = sharding.reduction;
  if (sharding.kind == Kind::named)
    if (absl::Status status = keepWishes(mesh, sharding, result.sharding); !status.ok())
      return status;
  return result;
}

//===- Back ----------------------------------------------------------------===//

/// Writes the grid of `axes` (all of `mesh`, in the order of the tiles) as few transposed dims.
static void writeGrid(const Mesh &mesh, const AxisList &axes, TileSharding &tiles) {
  TileDigits digits;
  for (const AxisRef &axis : axes)
    append(digits, digitsOfAxes(mesh, {axis}).empty() ? TileDigit{1, 1}
                                                      : digitsOfAxes(mesh, {axis}).front());
  std::vector<int64_t> byStride(digits.size());
  std::iota(byStride.begin(), byStride.end(), 0);
  std::sort(byStride.begin(), byStride.end(),
            [&](int64_t a, int64_t b) { return digits[a].stride > digits[b].stride; });
  for (int64_t index : byStride)
    tiles.reshape.push_back(digits[index].size);
  tiles.permutation = inverseOf(byStride);
  if (tiles.reshape.empty()) {
    tiles.reshape = {1};
    tiles.permutation = {0};
  }
}

TileSharding tilesOf(const Mesh &mesh, const Sharding &sharding, absl::Span<const AxisRef> manual,
                     bool oneByOne) {
  TileSharding tiles;
  AxisList order, used(manual.begin(), manual.end());
  for (const DimSharding &dim : sharding.dims) {
    tiles.tiles.push_back(sizeOf(dim.axes));
    order.insert(order.end(), dim.axes.begin(), dim.axes.end());
  }
  auto addSubgroup = [&](absl::Span<const AxisRef> axes, Subgroup kind) {
    if (sizeOf(axes) == 1)
      return;
    tiles.tiles.push_back(sizeOf(axes));
    tiles.subgroups.push_back(kind);
    order.insert(order.end(), axes.begin(), axes.end());
  };
  used.insert(used.end(), order.begin(), order.end());
  used.insert(used.end(), sharding.unreduced.begin(), sharding.unreduced.end());
  addSubgroup(manual, Subgroup::manual);
  addSubgroup(sharding.unreduced, Subgroup::unreduced);
  AxisList rest = complement(mesh, used);
  addSubgroup(rest, Subgroup::replicated);
  tiles.reduction = sharding.kind;
  bool isSplit = std::any_of(sharding.dims.begin(), sharding.dims.end(),
                             [](const DimSharding &dim) { return sizeOf(dim.axes) > 1; });
  if (!isSplit && sizeOf(rest) == mesh.numDevices())
    return {}; // Replicated.
  if (!isSplit && tiles.subgroups.size() == 1) {
    TileSharding all;
    all.kind = tiles.subgroups[0] == Subgroup::manual ? Kind::manual : Kind::unreduced;
    all.reduction = sharding.kind;
    return all;
  }
  tiles.kind = Kind::tiled;
  if (mesh.isIota() && !oneByOne) {
    writeGrid(mesh, order, tiles);
    return tiles;
  }
  TileDigits digits;
  for (const AxisRef &axis : order)
    for (const TileDigit &digit : digitsOfAxes(mesh, {axis}))
      digits.push_back(digit);
  for (int64_t position : listOf(digits))
    tiles.devices.push_back(mesh.deviceAt(position));
  return tiles;
}

} // namespace spmd
