// Between the notations: named axes, transposed grids, devices one by one.

#include "SmallCases.h"
#include "SmallGrids.h"

#include "absl/strings/match.h"
#include "gtest/gtest.h"

#include <set>

namespace spmd::test {
namespace {

using Kind = TileSharding::Kind;

TileSharding namedOf(const Mesh &mesh, const Sharding &sharding) {
  TileSharding named;
  named.kind = Kind::named;
  named.mesh = mesh;
  named.spec = toSpec(mesh, sharding);
  return named;
}

// Each device has the same tile in all notations, there and back.
TEST(TileConversions, NamedAxesGridsAndLists) {
  int converted = 0;
  for (const Mesh &mesh : meshesOfUpTo(12))
    for (const Sharding &sharding : allMatrixShardings(mesh)) {
      TileSharding named = namedOf(mesh, sharding);
      SCOPED_TRACE(named.str());
      auto read = tileShardingFromText(named.str());
      ASSERT_TRUE(read.ok()) << read.status();
      EXPECT_EQ(*meshFor({&*read}, 0), mesh);
      auto placed = placeOn(mesh, *read, 2);
      ASSERT_TRUE(placed.ok()) << placed.status();
      EXPECT_EQ(placed->sharding, sharding);
      for (bool oneByOne : {false, true}) {
        TileSharding tiles = tilesOf(mesh, sharding, {}, oneByOne);
        if (tiles.kind == Kind::tiled)
          EXPECT_EQ(coordinatesOf(tiles), coordinatesOf(mesh, sharding)) << tiles.str();
        else
          EXPECT_TRUE(sharding.layout().isFullyReplicated()) << tiles.str();
        auto onOwn = placeOn(mesh, tiles, 2);
        ASSERT_TRUE(onOwn.ok()) << tiles.str() << ": " << onOwn.status();
        EXPECT_EQ(onOwn->sharding.layout(), sharding.layout()) << tiles.str();
      }
      ++converted;
    }
  EXPECT_GT(converted, 500);
}

// Named axes of one mesh on another over the same devices in another order: what says nothing of
// the devices, or the same of all, goes on any.
TEST(TileConversions, NamedAxesOnAMeshOfAnotherOrder) {
  int placedOn = 0;
  for (const Mesh &mesh : meshesOfUpTo(8)) {
    std::vector<int64_t> backwards;
    for (int64_t device = mesh.numDevices(); device-- > 0;)
      backwards.push_back(device);
    Mesh other = *Mesh::create({{"all", mesh.numDevices()}}, backwards);
    for (const Sharding &sharding : allMatrixShardings(mesh)) {
      auto placed = placeOn(other, namedOf(mesh, sharding), 2);
      bool isSplit = sizeOf(sharding.dims[0].axes) * sizeOf(sharding.dims[1].axes) > 1;
      EXPECT_TRUE(placed.ok() || isSplit) << placed.status();
      if (!placed.ok())
        continue;
      ++placedOn;
      EXPECT_EQ(coordinatesOf(other, placed->sharding), coordinatesOf(mesh, sharding))
          << namedOf(mesh, sharding).str();
    }
    TileSharding local = namedOf(mesh, Sharding::replicatedOf(2));
    for (const MeshAxis &axis : mesh.axes())
      local.manualAxes.push_back({axis.name});
    auto placed = placeOn(other, local, 2);
    ASSERT_TRUE(placed.ok()) << placed.status();
    EXPECT_EQ(sizeOf(placed->manual), mesh.numDevices());
  }
  EXPECT_GT(placedOn, 10);
}

// Named axes of one mesh on another over the same devices in the same order.
TEST(TileConversions, NamedAxesOnAnotherMesh) {
  for (const Mesh &mesh : meshesOfUpTo(12)) {
    Mesh flat = *Mesh::create({{"all", mesh.numDevices()}});
    for (const Sharding &sharding : allMatrixShardings(mesh)) {
      auto placed = placeOn(flat, namedOf(mesh, sharding), 2);
      if (!placed.ok())
        continue; // 2x3 read as 3x2 has no parts of one axis.
      EXPECT_EQ(coordinatesOf(flat, placed->sharding), coordinatesOf(mesh, sharding))
          << namedOf(mesh, sharding).str();
    }
  }
}

// Axes that a value must not be sharded along count as those of its dims do: the mesh has them or
// not.
TEST(TileConversions, ReplicatedAxesOnAnotherMesh) {
  Mesh named = *Mesh::create({{"a", 2}, {"b", 3}}), flat = *Mesh::create({{"all", 6}}),
       turned = *Mesh::create({{"c", 3}, {"d", 2}});
  Sharding sharding = Sharding::replicatedOf(2);
  sharding.replicated = {*resolve(named, AxisSpec{"a"})};
  EXPECT_TRUE(placeOn(flat, namedOf(named, sharding), 2).ok());
  auto placed = placeOn(turned, namedOf(named, sharding), 2);
  ASSERT_FALSE(placed.ok());
  EXPECT_TRUE(absl::StrContains(placed.status().message(), "has no axes for")) << placed.status();
}

using Classes = std::set<std::set<int64_t>>;

/// The devices that have the same tile, and the same place along dim `along` of the grid. Which of
/// several replicas is meant says nothing.
Classes classesOf(const TileSharding &tiles, size_t along) {
  std::vector<int64_t> devices = devicesByDefinition(tiles);
  std::map<std::vector<int64_t>, std::set<int64_t>> classes;
  for (int64_t flat = 0; flat < static_cast<int64_t>(devices.size()); ++flat) {
    std::vector<int64_t> coordinate(tiles.tiles.size());
    int64_t rest = flat;
    for (size_t i = tiles.tiles.size(); i-- > 0; rest /= tiles.tiles[i])
      coordinate[i] = rest % tiles.tiles[i];
    int64_t place = coordinate[along];
    coordinate.resize(tiles.rank());
    coordinate.push_back(place);
    classes[coordinate].insert(devices[flat]);
  }
  Classes result;
  for (auto &[coordinate, members] : classes)
    result.insert(members);
  return result;
}

Classes classesOf(const Mesh &mesh, const Sharding &sharding, const AxisList &along) {
  std::map<std::vector<int64_t>, std::set<int64_t>> classes;
  for (auto [device, coordinate] : coordinatesOf(mesh, sharding)) {
    coordinate.push_back(coordinateOf(mesh, mesh.positionOf(device), along));
    classes[coordinate].insert(device);
  }
  Classes result;
  for (auto &[coordinate, members] : classes)
    result.insert(members);
  return result;
}

/// Returns where the dim of `kind` stands in the grid, or nothing.
std::optional<size_t> dimOf(const TileSharding &tiles, Subgroup kind) {
  auto found = std::find(tiles.subgroups.begin(), tiles.subgroups.end(), kind);
  return found == tiles.subgroups.end()
             ? std::nullopt
             : std::optional(tiles.rank() + (found - tiles.subgroups.begin()));
}

void expectGroups(const TileSharding &tiles, const Mesh &mesh, const PlacedTiles &placed) {
  if (auto dim = dimOf(tiles, Subgroup::manual))
    EXPECT_EQ(classesOf(tiles, *dim), classesOf(mesh, placed.sharding, placed.manual));
  if (auto dim = dimOf(tiles, Subgroup::unreduced))
    EXPECT_EQ(classesOf(tiles, *dim), classesOf(mesh, placed.sharding, placed.sharding.unreduced));
}

// Devices that share a tile are manual, addends or replicas to each other: the same ones in every
// notation.
TEST(TileConversions, SubgroupsOfUpToTwelveDevices) {
  const std::vector<std::vector<Subgroup>> kinds = {{Subgroup::manual},
                                                    {Subgroup::unreduced},
                                                    {Subgroup::manual, Subgroup::replicated},
                                                    {Subgroup::replicated, Subgroup::manual},
                                                    {Subgroup::manual, Subgroup::unreduced},
                                                    {Subgroup::unreduced, Subgroup::replicated}};
  for (int64_t count = 1; count <= 12; ++count)
    for (TileSharding grid : allGrids(count))
      for (const std::vector<Subgroup> &subgroups : kinds) {
        grid.subgroups = subgroups;
        SCOPED_TRACE(grid.str());
        auto mesh = meshFor({&grid}, 0);
        ASSERT_TRUE(mesh.ok()) << mesh.status();
        auto placed = placeOn(*mesh, grid, grid.rank());
        ASSERT_TRUE(placed.ok()) << placed.status();
        EXPECT_EQ(coordinatesOf(grid), coordinatesOf(*mesh, placed->sharding));
        expectGroups(grid, *mesh, *placed);
        for (bool oneByOne : {false, true}) {
          TileSharding back = tilesOf(*mesh, placed->sharding, placed->manual, oneByOne);
          auto again = placeOn(*mesh, back, grid.rank());
          ASSERT_TRUE(again.ok()) << back.str() << ": " << again.status();
          EXPECT_EQ(again->sharding.layout(), placed->sharding.layout()) << back.str();
          EXPECT_EQ(again->manual, placed->manual) << back.str();
        }
      }
}

} // namespace
} // namespace spmd::test
