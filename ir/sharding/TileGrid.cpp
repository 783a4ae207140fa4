#include "spmd/ir/sharding/TileGrid.h"

#include <algorithm>
#include <numeric>
#include <optional>

namespace spmd {

using Kind = TileSharding::Kind;

std::vector<int64_t> inverseOf(absl::Span<const int64_t> order) {
  std::vector<int64_t> inverse(order.size());
  for (size_t i = 0; i < order.size(); ++i)
    inverse[order[i]] = i;
  return inverse;
}

static int64_t product(absl::Span<const int64_t> sizes) {
  return std::accumulate(sizes.begin(), sizes.end(), int64_t{1}, std::multiplies<int64_t>());
}

TileDigits digitsOfGrid(const TileSharding &sharding) {
  std::vector<int64_t> strides(sharding.reshape.size(), 1);
  for (size_t i = strides.size(); i-- > 1;)
    strides[i - 1] = strides[i] * sharding.reshape[i];
  TileDigits digits;
  for (int64_t dim : sharding.permutation)
    append(digits, {strides[dim], sharding.reshape[dim]});
  return digits;
}

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
static std::optional<TileDigits> countingThrough(absl::Span<const int64_t> values) {
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
static std::optional<std::vector<TileDigits>> cut(TileDigits digits,
                                                  absl::Span<const int64_t> tiles) {
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

TileDigits digitsOfAxes(const Mesh &mesh, absl::Span<const AxisRef> axes) {
  TileDigits digits;
  for (const AxisRef &axis : axes)
    append(digits,
           {mesh.strideOf(axis.axis) * (mesh.axes()[axis.axis].size / axis.end()), axis.size});
  return digits;
}

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
static TileGrid gridOf(std::vector<TileDigits> dims, absl::Span<const Subgroup> subgroups) {
  TileGrid grid;
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

/// Returns the grid of a named sharding that splits no dim, and is `tiles` by another name: all
/// devices hold the whole, or all hold parts of it.
static TileGrid gridOfAll(const TileSharding &tiles, const TileSharding &named) {
  TileGrid grid;
  grid.dims.resize(named.spec.dims.size());
  TileDigits all;
  append(all, {1, named.mesh.numDevices()});
  if (tiles.kind == Kind::manual)
    grid.manual = all;
  else if (tiles.kind == Kind::unreduced)
    grid.unreduced = all;
  return grid;
}

absl::StatusOr<TileGrid> gridIn(absl::Span<const int64_t> order, const TileSharding &sharding) {
  if (sharding.kind == Kind::named && order == sharding.mesh.deviceIds()) {
    absl::StatusOr<Sharding> resolved = resolve(sharding.mesh, sharding.spec);
    absl::StatusOr<AxisList> manual = resolve(sharding.mesh, sharding.manualAxes);
    if (!resolved.ok() || !manual.ok())
      return resolved.ok() ? manual.status() : resolved.status();
    TileGrid grid;
    for (const DimSharding &dim : resolved->dims)
      grid.dims.push_back(digitsOfAxes(sharding.mesh, dim.axes));
    grid.unreduced = digitsOfAxes(sharding.mesh, resolved->unreduced);
    grid.manual = digitsOfAxes(sharding.mesh, *manual);
    return grid;
  }
  if (sharding.kind == Kind::named) {
    absl::StatusOr<TileSharding> tiles = unnamed(sharding);
    if (!tiles.ok())
      return tiles.status();
    return tiles->kind == Kind::tiled ? gridIn(order, *tiles) : gridOfAll(*tiles, sharding);
  }
  if (!sharding.namesAllDevices())
    return absl::InvalidArgumentError("it is over some of the program's devices");
  if (order.empty() && sharding.devices.empty())
    if (auto dims = cut(digitsOfGrid(sharding), sharding.tiles))
      return gridOf(*std::move(dims), sharding.subgroups);
  if (product(sharding.tiles) <= mostListed)
    if (auto digits = countingThrough(positionsIn(order, sharding)))
      if (auto dims = cut(*std::move(digits), sharding.tiles))
        return gridOf(*std::move(dims), sharding.subgroups);
  return absl::NotFoundError("devices stand in no order that axes can express");
}

} // namespace spmd
