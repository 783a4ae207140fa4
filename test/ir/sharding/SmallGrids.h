// All small grids of tiles, and what they mean by definition.
#pragma once

#include "spmd/ir/sharding/TileSharding.h"

#include <algorithm>
#include <map>
#include <numeric>

namespace spmd::test {

/// The devices of a tiled sharding in the order of the grid: from the definition, element by
/// element.
inline std::vector<int64_t> devicesByDefinition(const TileSharding &tiles) {
  if (!tiles.devices.empty())
    return tiles.devices;
  std::vector<int64_t> shape, result;
  for (int64_t dim : tiles.permutation)
    shape.push_back(tiles.reshape[dim]);
  int64_t count = std::accumulate(shape.begin(), shape.end(), 1, std::multiplies<int64_t>());
  for (int64_t flat = 0; flat < count; ++flat) {
    std::vector<int64_t> source(shape.size());
    int64_t rest = flat;
    for (size_t i = shape.size(); i-- > 0; rest /= shape[i])
      source[tiles.permutation[i]] = rest % shape[i];
    int64_t device = 0;
    for (size_t i = 0; i < source.size(); ++i)
      device = device * tiles.reshape[i] + source[i];
    result.push_back(device);
  }
  return result;
}

/// For each device, its coordinate in each dim of the grid; replicated dims are left out.
inline std::map<int64_t, std::vector<int64_t>> coordinatesOf(const TileSharding &tiles) {
  std::map<int64_t, std::vector<int64_t>> result;
  std::vector<int64_t> devices = devicesByDefinition(tiles);
  for (int64_t flat = 0; flat < static_cast<int64_t>(devices.size()); ++flat) {
    std::vector<int64_t> coordinate(tiles.tiles.size());
    int64_t rest = flat;
    for (size_t i = tiles.tiles.size(); i-- > 0; rest /= tiles.tiles[i])
      coordinate[i] = rest % tiles.tiles[i];
    coordinate.resize(tiles.rank());
    result[devices[flat]] = coordinate;
  }
  return result;
}

inline std::map<int64_t, std::vector<int64_t>> coordinatesOf(const Mesh &mesh,
                                                             const Sharding &sharding) {
  std::map<int64_t, std::vector<int64_t>> result;
  for (int64_t position = 0; position < mesh.numDevices(); ++position)
    for (const DimSharding &dim : sharding.dims)
      result[mesh.deviceAt(position)].push_back(coordinateOf(mesh, position, dim.axes));
  return result;
}

/// All ways to write `count` as a product of `length` sizes.
inline std::vector<std::vector<int64_t>> factorings(int64_t count, int length) {
  if (length == 0)
    return count == 1 ? std::vector<std::vector<int64_t>>{{}} : std::vector<std::vector<int64_t>>{};
  std::vector<std::vector<int64_t>> result;
  for (int64_t first = 1; first <= count; ++first)
    if (count % first == 0)
      for (std::vector<int64_t> rest : factorings(count / first, length - 1)) {
        rest.insert(rest.begin(), first);
        result.push_back(rest);
      }
  return result;
}

/// Every transposed grid of `count` devices with up to three dims, over tiles of a matrix with a
/// dim for the replicated.
inline std::vector<TileSharding> allGrids(int64_t count) {
  std::vector<TileSharding> result;
  for (const std::vector<int64_t> &reshape : factorings(count, 3)) {
    std::vector<int64_t> permutation = {0, 1, 2};
    do
      for (const std::vector<int64_t> &tiles : factorings(count, 3)) {
        TileSharding grid;
        grid.kind = TileSharding::Kind::tiled;
        grid.tiles = tiles;
        grid.subgroups = {Subgroup::replicated};
        grid.reshape = reshape;
        grid.permutation = permutation;
        result.push_back(grid);
      }
    while (std::next_permutation(permutation.begin(), permutation.end()));
  }
  return result;
}

} // namespace spmd::test
