#include "spmd/ir/reshard/MeshMap.h"

#include <algorithm>

namespace spmd {

namespace {

/// Positions are written in mixed radix: the digit of `size` values that changes every `stride`
/// positions.
struct Radix {
  int64_t stride;
  int64_t size;
};

} // namespace

static Radix radixOf(const Mesh &mesh, const AxisRef &ref) {
  return {mesh.strideOf(ref.axis) * (mesh.axes()[ref.axis].size / ref.end()), ref.size};
}

/// Appends the parts of axes of `mesh` that make up `radix`. Returns false if they do not divide
/// so.
static bool appendAxes(const Mesh &mesh, const Radix &radix, AxisList &axes) {
  int64_t found = 1, high = radix.stride * radix.size;
  for (int axis = 0; axis < static_cast<int>(mesh.axes().size()); ++axis) {
    int64_t low = mesh.strideOf(axis), end = low * mesh.axes()[axis].size;
    int64_t begin = std::max(low, radix.stride), upper = std::min(end, high);
    if (begin >= upper)
      continue;
    if (end % upper != 0 || upper % begin != 0 || begin % low != 0)
      return false;
    axes.push_back({axis, static_cast<int32_t>(end / upper), static_cast<int32_t>(upper / begin)});
    found *= upper / begin;
  }
  return found == radix.size;
}

static int64_t smallestPrime(int64_t number) {
  for (int64_t p = 2; p * p <= number; ++p)
    if (number % p == 0)
      return p;
  return number;
}

/// Returns the digits of prime size of a mesh, major first.
static std::vector<Radix> primeDigits(const Mesh &mesh) {
  std::vector<Radix> digits;
  int64_t stride = mesh.numDevices();
  for (const MeshAxis &axis : mesh.axes())
    for (int64_t rest = axis.size; rest > 1;) {
      int64_t prime = smallestPrime(rest);
      stride /= prime;
      rest /= prime;
      digits.push_back({stride, prime});
    }
  return digits;
}

namespace {

/// Where the prime digits of positions in one mesh stand in those of another.
struct DigitMap {
  std::vector<Radix> source;
  std::vector<Radix> target;

  /// Returns the stride that digit `i` should have for the whole to be a reordering, times its
  /// size.
  bool isReordering() const {
    std::vector<Radix> sorted = target;
    std::sort(sorted.begin(), sorted.end(),
              [](const Radix &a, const Radix &b) { return a.stride < b.stride; });
    int64_t stride = 1;
    for (const Radix &digit : sorted) {
      if (digit.stride != stride)
        return false;
      stride *= digit.size;
    }
    return true;
  }
};

} // namespace

/// Returns how positions of `to` are written in digits of `from`, or nothing if digits do not map
/// to digits.
static std::optional<DigitMap> mapDigits(const Mesh &from, const Mesh &to) {
  DigitMap map{primeDigits(to), {}};
  if (from.deviceIds() == to.deviceIds()) {
    map.target = map.source;
    return map;
  }
  std::vector<int64_t> positionOf(from.numDevices());
  for (int64_t position = 0; position < from.numDevices(); ++position)
    positionOf[from.deviceAt(position)] = position;
  for (const Radix &digit : map.source)
    map.target.push_back({positionOf[to.deviceAt(digit.stride)], digit.size});
  if (!map.isReordering())
    return std::nullopt;
  for (int64_t position = 0; position < to.numDevices(); ++position) {
    int64_t image = 0;
    for (size_t i = 0; i < map.source.size(); ++i)
      image += position / map.source[i].stride % map.source[i].size * map.target[i].stride;
    if (image != positionOf[to.deviceAt(position)])
      return std::nullopt;
  }
  return map;
}

/// Appends the axes of `from` that stand where `ref` of `to` does.
static bool appendImage(const Mesh &from, const Mesh &to, const DigitMap &map, const AxisRef &ref,
                        AxisList &axes) {
  Radix radix = radixOf(to, ref);
  if (from.deviceIds() == to.deviceIds())
    return appendAxes(from, radix, axes);
  int64_t found = 1;
  for (size_t i = 0; i < map.source.size(); ++i) {
    const Radix &digit = map.source[i];
    if (digit.stride < radix.stride || digit.stride >= radix.stride * radix.size)
      continue;
    if (!appendAxes(from, map.target[i], axes))
      return false;
    found *= digit.size;
  }
  return found == radix.size;
}

std::optional<Sharding> translate(const Mesh &from, const Mesh &to, const Sharding &sharding) {
  if (sharding.usedAxes().empty())
    return sharding;
  std::optional<DigitMap> map = mapDigits(from, to);
  if (!map)
    return std::nullopt;
  Sharding result = sharding;
  auto translateList = [&](AxisList &list) {
    AxisList image;
    for (const AxisRef &ref : list)
      if (!appendImage(from, to, *map, ref, image))
        return false;
    list = std::move(image);
    return true;
  };
  for (DimSharding &dim : result.dims)
    if (!translateList(dim.axes))
      return std::nullopt;
  if (!translateList(result.unreduced))
    return std::nullopt;
  return result.layout();
}

} // namespace spmd
