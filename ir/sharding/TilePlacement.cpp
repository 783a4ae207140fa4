// From grids of tiles to axes of a mesh, and back.
//
// A dim of a grid is read as *digits* of the device's position: the digit with stride s and size n
// of position p is p / s % n. Axes of a mesh are digits, too, so a grid is expressible where each
// of its digits starts and ends where axes do, or can be cut. All that starts or ends somewhere, of
// all shardings of a program, makes the axes.

#include "spmd/ir/sharding/TileDigits.h"
#include "spmd/ir/sharding/TileSharding.h"

#include "absl/container/flat_hash_map.h"
#include "absl/strings/str_cat.h"

#include <algorithm>
#include <numeric>

namespace spmd {

namespace {

using Kind = TileSharding::Kind;

/// More devices are not listed one by one.
constexpr int64_t mostListed = 1 << 20;

/// What a sharding says of the dims of the tensor and of subgroups, in digits of a position.
struct Grid {
  std::vector<TileDigits> dims;
  TileDigits manual, unreduced;
};

std::vector<int64_t> inverseOf(absl::Span<const int64_t> order) {
  std::vector<int64_t> inverse(order.size());
  for (size_t i = 0; i < order.size(); ++i)
    inverse[order[i]] = i;
  return inverse;
}

int64_t product(absl::Span<const int64_t> sizes) {
  return std::accumulate(sizes.begin(), sizes.end(), int64_t{1}, std::multiplies<int64_t>());
}

/// Returns the digits of the transposed grid.
TileDigits digitsOfGrid(const TileSharding &sharding) {
  std::vector<int64_t> strides(sharding.reshape.size(), 1);
  for (size_t i = strides.size(); i-- > 1;)
    strides[i - 1] = strides[i] * sharding.reshape[i];
  TileDigits digits;
  for (int64_t dim : sharding.permutation)
    append(digits, {strides[dim], sharding.reshape[dim]});
  return digits;
}

/// Returns the values that `digits` count through, last digit fastest.
std::vector<int64_t> listOf(const TileDigits &digits) {
  std::vector<int64_t> values = {0};
  for (const TileDigit &digit : digits) {
    std::vector<int64_t> longer;
    longer.reserve(values.size() * digit.size);
    for (int64_t value : values)
      for (int64_t k = 0; k < digit.size; ++k)
        longer.push_back(value + k * digit.stride);
    values = std::move(longer);
  }
  return values;
}

/// Returns the digits that count through `values`, or nothing if none do. Linear.
std::optional<TileDigits> countingThrough(absl::Span<const int64_t> values) {
  TileDigits minorFirst;
  int64_t done = 1, count = values.size();
  while (done < count) { // values[0 .. done) is explained by the digits so far.
    int64_t stride = values[done];
    int64_t size = 1;
    while (done * size < count && values[done * size] == stride * size)
      ++size;
    if (stride <= 0 || count % (done * size) != 0)
      return std::nullopt;
    minorFirst.push_back({stride, size});
    done *= size;
  }
  TileDigits digits(minorFirst.rbegin(), minorFirst.rend());
  std::vector<int64_t> counted = listOf(digits);
  if (!std::equal(values.begin(), values.end(), counted.begin(), counted.end()))
    return std::nullopt;
  return digits;
}

/// Distributes `digits` over dims of the sizes `tiles`, cutting digits where needed.
std::optional<std::vector<TileDigits>> cut(TileDigits digits, absl::Span<const int64_t> tiles) {
  std::vector<TileDigits> dims(tiles.size());
  for (size_t dim = tiles.size(); dim-- > 0;) {
    int64_t left = tiles[dim];
    TileDigits minorFirst;
    while (left > 1) {
      if (digits.empty())
        return std::nullopt;
      TileDigit &last = digits.back();
      int64_t taken = std::min(left, last.size);
      if (left % taken != 0 || last.size % taken != 0)
        return std::nullopt;
      minorFirst.push_back({last.stride, taken});
      left /= taken;
      last = {last.stride * taken, last.size / taken};
      if (last.size == 1)
        digits.pop_back();
    }
    for (auto digit = minorFirst.rbegin(); digit != minorFirst.rend(); ++digit)
      append(dims[dim], *digit);
  }
  return dims;
}

/// Returns the digits of the axes in `axes` of a named sharding's own mesh.
TileDigits digitsOfAxes(const Mesh &mesh, absl::Span<const AxisRef> axes) {
  TileDigits digits;
  for (const AxisRef &axis : axes)
    append(digits,
           {mesh.strideOf(axis.axis) * (mesh.axes()[axis.axis].size / axis.end()), axis.size});
  return digits;
}

/// Returns a named sharding as a tiled one, device by device. Requires resolved axes.
absl::StatusOr<TileSharding> unnamed(const TileSharding &named) {
  absl::StatusOr<Sharding> sharding = resolve(named.mesh, named.spec);
  absl::StatusOr<AxisList> manual = resolve(named.mesh, named.manualAxes);
  if (!sharding.ok() || !manual.ok())
    return sharding.ok() ? manual.status() : sharding.status();
  if (absl::Status status =
          verify(named.mesh, *sharding, std::vector<int64_t>(sharding->rank(), 1));
      !status.ok())
    return status;
  if (named.mesh.numDevices() > mostListed)
    return absl::InvalidArgumentError("mesh has device ids, and too many to be listed");
  return tilesOf(named.mesh, *sharding, *manual, /*oneByOne=*/true);
}

/// Lays the devices of a tiled sharding out as positions of `order`. Devices that hold the same are
/// sorted, as which of them comes first says nothing.
std::vector<int64_t> positionsIn(absl::Span<const int64_t> order, const TileSharding &sharding) {
  std::vector<int64_t> positions = devicesOf(sharding);
  if (!order.empty()) {
    std::vector<int64_t> inverse = inverseOf(order);
    for (int64_t &each : positions)
      each = inverse[each];
  }
  if (sharding.subgroups.empty() || sharding.subgroups.back() != Subgroup::replicated)
    return positions;
  int64_t alike = sharding.tiles.back();
  for (size_t i = 0; i < positions.size(); i += alike)
    std::sort(positions.begin() + i, positions.begin() + i + alike);
  return positions;
}

/// Moves the dims of `dims` that belong to subgroups where they belong.
Grid gridOf(std::vector<TileDigits> dims, absl::Span<const Subgroup> subgroups) {
  Grid grid;
  size_t rank = dims.size() - subgroups.size();
  for (size_t i = 0; i < subgroups.size(); ++i) {
    if (subgroups[i] == Subgroup::replicated)
      continue;
    TileDigits &target = subgroups[i] == Subgroup::manual ? grid.manual : grid.unreduced;
    for (const TileDigit &digit : dims[rank + i])
      append(target, digit);
  }
  dims.resize(rank);
  grid.dims = std::move(dims);
  return grid;
}

/// Returns what a tiled or named sharding says in digits of positions in `order` (devices by
/// position; empty if device p stands at p). NotFound if it cannot be said so.
absl::StatusOr<Grid> gridIn(absl::Span<const int64_t> order, const TileSharding &sharding) {
  if (sharding.kind == Kind::named && order == sharding.mesh.deviceIds()) {
    absl::StatusOr<Sharding> resolved = resolve(sharding.mesh, sharding.spec);
    absl::StatusOr<AxisList> manual = resolve(sharding.mesh, sharding.manualAxes);
    if (!resolved.ok() || !manual.ok())
      return resolved.ok() ? manual.status() : resolved.status();
    Grid grid;
    for (const DimSharding &dim : resolved->dims)
      grid.dims.push_back(digitsOfAxes(sharding.mesh, dim.axes));
    grid.unreduced = digitsOfAxes(sharding.mesh, resolved->unreduced);
    grid.manual = digitsOfAxes(sharding.mesh, *manual);
    return grid;
  }
  if (sharding.kind == Kind::named) {
    absl::StatusOr<TileSharding> tiles = unnamed(sharding);
    return tiles.ok() ? gridIn(order, *tiles) : absl::StatusOr<Grid>(tiles.status());
  }
  if (order.empty() && sharding.devices.empty())
    if (auto dims = cut(digitsOfGrid(sharding), sharding.tiles))
      return gridOf(*std::move(dims), sharding.subgroups);
  if (product(sharding.tiles) <= mostListed)
    if (auto digits = countingThrough(positionsIn(order, sharding)))
      if (auto dims = cut(*std::move(digits), sharding.tiles))
        return gridOf(*std::move(dims), sharding.subgroups);
  return absl::NotFoundError("devices stand in no order that axes can express");
}

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

  void add(const Grid &grid, const TileSharding &asks) {
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
    absl::StatusOr<Grid> grid = gridIn(order, *sharding);
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
  if (named && std::all_of(placed.begin(), placed.end(), [&](const TileSharding *each) {
        return placeOn(named->mesh, *each,
                       each->kind == Kind::named ? static_cast<int64_t>(each->spec.dims.size())
                                                 : each->rank())
            .ok();
      }))
    return named->mesh;
  absl::StatusOr<Mesh> mesh = meshFrom({}, placed, std::max<int64_t>(numDevices, 1));
  // Devices in an order of their own: one of the lists may be that of the mesh.
  constexpr int mostTried = 8;
  int tried = 0;
  for (const TileSharding *sharding : placed) {
    if (mesh.ok() || tried == mostTried)
      break;
    if (sharding->numDevices() > mostListed)
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
  if (sharding.isForAnyRank)
    return result;
  int64_t ownRank = sharding.kind == Kind::named ? static_cast<int64_t>(sharding.spec.dims.size())
                                                 : sharding.rank();
  if (ownRank != rank)
    return absl::InvalidArgumentError(absl::StrCat("sharding ", sharding.str(), " is of rank ",
                                                   ownRank, ", the tensor of rank ", rank));
  if (sharding.numDevices() != mesh.numDevices())
    return absl::InvalidArgumentError(absl::StrCat("sharding ", sharding.str(), " is for ",
                                                   sharding.numDevices(), " devices, mesh ",
                                                   mesh.str(), " has ", mesh.numDevices()));
  absl::StatusOr<Grid> grid = gridIn(mesh.deviceIds(), sharding);
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
