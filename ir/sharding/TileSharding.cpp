#include "spmd/ir/sharding/TileSharding.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

#include <algorithm>

namespace spmd {

namespace {

using Kind = TileSharding::Kind;

absl::Status wrong(const TileSharding &sharding, const std::string &why) {
  return absl::InvalidArgumentError(absl::StrCat("sharding ", sharding.str(), ": ", why));
}

/// Returns the product, or nothing if a size is not positive or the product passes 2^31.
std::optional<int64_t> product(absl::Span<const int64_t> sizes) {
  int64_t result = 1;
  for (int64_t size : sizes) {
    if (size <= 0 || size > (int64_t{1} << 31) / result)
      return std::nullopt;
    result *= size;
  }
  return result;
}

bool isPermutation(absl::Span<const int64_t> values) {
  std::vector<bool> seen(values.size());
  for (int64_t value : values) {
    if (value < 0 || value >= static_cast<int64_t>(values.size()) || seen[value])
      return false;
    seen[value] = true;
  }
  return true;
}

absl::Status verifyTiled(const TileSharding &sharding) {
  if (sharding.subgroups.size() > sharding.tiles.size())
    return wrong(sharding, "there are fewer tile dims than kinds of them");
  std::optional<int64_t> count = product(sharding.tiles);
  if (!count)
    return wrong(sharding, "tile dims must be positive, their product below 2^31");
  if (!sharding.devices.empty()) {
    if (static_cast<int64_t>(sharding.devices.size()) != *count)
      return wrong(sharding, absl::StrCat("there are ", *count, " tiles for ",
                                          sharding.devices.size(), " devices"));
    std::vector<int64_t> sorted = sharding.devices;
    std::sort(sorted.begin(), sorted.end());
    if (sorted.front() < 0 || sorted.back() >= int64_t{1} << 31 ||
        std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end())
      return wrong(sharding, "devices must be below 2^31, and each named once");
    return absl::OkStatus();
  }
  std::optional<int64_t> devices = product(sharding.reshape);
  if (!devices || *devices != *count)
    return wrong(sharding, "the grid of devices does not have as many as there are tiles");
  if (sharding.permutation.size() != sharding.reshape.size() ||
      !isPermutation(sharding.permutation))
    return wrong(sharding, "the transposition does not name each dim of the grid once");
  return absl::OkStatus();
}

absl::Status verifyNamed(const TileSharding &sharding) {
  absl::StatusOr<Sharding> resolved = resolve(sharding.mesh, sharding.spec);
  absl::StatusOr<AxisList> manual = resolve(sharding.mesh, sharding.manualAxes);
  if (!resolved.ok() || !manual.ok())
    return wrong(sharding,
                 std::string((resolved.ok() ? manual.status() : resolved.status()).message()));
  AxisList seen;
  auto repeats = [&](absl::Span<const AxisRef> axes) {
    for (const AxisRef &axis : axes) {
      if (overlaps(axis, seen))
        return true;
      seen.push_back(axis);
    }
    return false;
  };
  bool repeated = repeats(resolved->unreduced) || repeats(*manual) || repeats(resolved->replicated);
  for (const DimSharding &dim : resolved->dims)
    repeated = repeated || repeats(dim.axes);
  return repeated ? wrong(sharding, "an axis is used twice") : absl::OkStatus();
}

} // namespace

bool TileSharding::namesAllDevices() const {
  for (int64_t device : devices)
    if (device >= static_cast<int64_t>(devices.size()))
      return false;
  return std::all_of(elements.begin(), elements.end(),
                     [](const TileSharding &element) { return element.namesAllDevices(); });
}

int64_t TileSharding::numDevices() const {
  if (kind == Kind::tiled)
    return product(tiles).value_or(0);
  if (kind == Kind::named)
    return mesh.numDevices();
  for (const TileSharding &element : elements)
    if (int64_t count = element.numDevices())
      return count;
  return 0;
}

absl::Status verify(const TileSharding &sharding) {
  switch (sharding.kind) {
  case Kind::tiled:
    return verifyTiled(sharding);
  case Kind::named:
    return verifyNamed(sharding);
  case Kind::tuple:
    for (const TileSharding &element : sharding.elements)
      if (absl::Status status = verify(element); !status.ok())
        return status;
    return absl::OkStatus();
  default:
    return absl::OkStatus();
  }
}

} // namespace spmd
