#include "spmd/ir/sharding/TileSharding.h"

#include "SmallCases.h"
#include "SmallGrids.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "gtest/gtest.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <random>

namespace spmd::test {
namespace {

using Kind = TileSharding::Kind;

TileSharding parsed(const std::string &text) {
  absl::StatusOr<TileSharding> sharding = tileShardingFromText(text);
  EXPECT_TRUE(sharding.ok()) << text << ": " << sharding.status().ToString();
  return sharding.ok() ? *sharding : TileSharding();
}

/// Places `tiles` on a mesh of its own, and checks each device's tile, there and back.
void expectPlaced(const TileSharding &tiles) {
  SCOPED_TRACE(tiles.str());
  absl::StatusOr<Mesh> mesh = meshFor({&tiles}, 0);
  ASSERT_TRUE(mesh.ok()) << mesh.status().ToString();
  absl::StatusOr<PlacedTiles> placed = placeOn(*mesh, tiles, tiles.rank());
  ASSERT_TRUE(placed.ok()) << placed.status().ToString();
  EXPECT_TRUE(verify(*mesh, placed->sharding, std::vector<int64_t>(tiles.rank(), 60)).ok());
  EXPECT_EQ(coordinatesOf(tiles), coordinatesOf(*mesh, placed->sharding));
  for (bool oneByOne : {false, true}) {
    TileSharding back = tilesOf(*mesh, placed->sharding, placed->manual, oneByOne);
    EXPECT_TRUE(verify(back).ok()) << back.str();
    if (back.kind == Kind::tiled)
      EXPECT_EQ(coordinatesOf(tiles), coordinatesOf(back)) << back.str();
    else
      EXPECT_TRUE(placed->sharding.isFullyReplicated());
    EXPECT_EQ(parsed(back.str()).str(), back.str());
  }
}

// Where axes of 0..N-1 will not do (2x3 tiles over a transposed 2x3 grid), the mesh says which
// devices it has.
TEST(TileSharding, PlacesEveryGridOfUpToTwelveDevices) {
  int placed = 0;
  for (int64_t count = 1; count <= 12; ++count)
    for (const TileSharding &grid : allGrids(count)) {
      TileSharding listed = grid;
      listed.devices = devicesByDefinition(grid);
      expectPlaced(grid);
      expectPlaced(listed);
      placed += 2;
    }
  EXPECT_GT(placed, 1000);
}

TEST(TileSharding, PlacesDevicesInAnyOrder) {
  std::mt19937 engine(7);
  for (int round = 0; round < 100; ++round)
    for (const std::vector<int64_t> &tiles : factorings(8, 2)) {
      TileSharding sharding;
      sharding.kind = Kind::tiled;
      sharding.tiles = tiles;
      sharding.devices.resize(8);
      std::iota(sharding.devices.begin(), sharding.devices.end(), 0);
      std::shuffle(sharding.devices.begin(), sharding.devices.end(), engine);
      expectPlaced(sharding);
    }
}

// One mesh for all shardings of a program: every matrix sharding of each small mesh, written as
// tiles, comes back.
TEST(TileSharding, OneMeshExpressesAllShardingsOfAProgram) {
  for (const Mesh &mesh : smallMeshes()) {
    if (mesh.axes().front().size == 6)
      continue; // Cut as 2x3 and as 3x2, it has no common axes.
    std::vector<Sharding> shardings = allMatrixShardings(mesh);
    std::vector<TileSharding> tiles;
    for (const Sharding &sharding : shardings)
      tiles.push_back(tilesOf(mesh, sharding));
    std::vector<const TileSharding *> pointers;
    for (const TileSharding &each : tiles)
      pointers.push_back(&each);
    absl::StatusOr<Mesh> found = meshFor(pointers, mesh.numDevices());
    ASSERT_TRUE(found.ok()) << mesh.str() << ": " << found.status().ToString();
    for (size_t i = 0; i < tiles.size(); ++i) {
      absl::StatusOr<PlacedTiles> placed = placeOn(*found, tiles[i], 2);
      ASSERT_TRUE(placed.ok()) << tiles[i].str() << ": " << placed.status().ToString();
      EXPECT_EQ(coordinatesOf(mesh, shardings[i]), coordinatesOf(*found, placed->sharding))
          << tiles[i].str();
      absl::StatusOr<PlacedTiles> onOwn = placeOn(mesh, tiles[i], 2);
      ASSERT_TRUE(onOwn.ok()) << onOwn.status().ToString();
      EXPECT_EQ(onOwn->sharding.layout(), shardings[i].layout()) << tiles[i].str();
    }
  }
}

std::vector<TileSharding> parsedAll(const std::vector<std::string> &texts) {
  std::vector<TileSharding> shardings;
  for (const std::string &text : texts)
    shardings.push_back(parsed(text));
  return shardings;
}

std::vector<const TileSharding *> pointersTo(const std::vector<TileSharding> &shardings) {
  std::vector<const TileSharding *> pointers;
  for (const TileSharding &each : shardings)
    pointers.push_back(&each);
  return pointers;
}

/// Returns the mesh that `texts` need, as text, or the error.
std::string meshTextFor(const std::vector<std::string> &texts, int64_t numDevices = 0) {
  std::vector<TileSharding> shardings = parsedAll(texts);
  absl::StatusOr<Mesh> mesh = meshFor(pointersTo(shardings), numDevices);
  return mesh.ok() ? mesh->str() : std::string(mesh.status().message());
}

TEST(TileSharding, MeshHasTheFewestAxes) {
  EXPECT_EQ(meshTextFor({"{devices=[8,1]<=[8]}", "{replicated}"}), "<[\"axis_0\"=8]>");
  EXPECT_EQ(meshTextFor({"{devices=[4,2]<=[8]}"}), "<[\"axis_0\"=4, \"axis_1\"=2]>");
  EXPECT_EQ(meshTextFor({"{devices=[4,1,2]<=[8] last_tile_dim_replicate}"}),
            "<[\"axis_0\"=4, \"axis_1\"=2]>");
  EXPECT_EQ(meshTextFor({"{devices=[2,4]0,2,4,6,1,3,5,7}", "{devices=[2,4]<=[8]}"}),
            "<[\"axis_0\"=2, \"axis_1\"=2, \"axis_2\"=2]>");
  EXPECT_EQ(meshTextFor({}, 6), "<[\"axis_0\"=6]>");
  EXPECT_EQ(meshTextFor({}), "<[\"axis_0\"=1]>");
  EXPECT_EQ(meshTextFor({"{mesh['a'=2,'b'=4] [{'a'},{}]}", "{devices=[4,2]<=[2,4]T(1,0)}"}),
            "<[\"a\"=2, \"b\"=4]>");
}

TEST(TileSharding, SaysWhichShardingsDoNotGoTogether) {
  EXPECT_EQ(meshTextFor({"{devices=[2,2]<=[4]}", "{devices=[8]<=[8]}"}),
            "{devices=[8]<=[8]} is for 8 devices, {devices=[2,2]<=[4]} for 4");
  EXPECT_EQ(meshTextFor({"{devices=[8]<=[8]}"}, 4),
            "{devices=[8]<=[8]} is for 8 devices, the program for 4");
  EXPECT_EQ(meshTextFor({"{devices=[4,3]<=[12]}", "{devices=[6,2]<=[12]}"}),
            "no mesh has axes for both {devices=[6,2]<=[12]} and {devices=[4,3]<=[12]}");
}

std::vector<std::string> meshTextsFor(const std::vector<std::string> &texts, int64_t numDevices) {
  std::vector<TileSharding> shardings = parsedAll(texts);
  absl::StatusOr<std::vector<Mesh>> meshes = meshesFor(pointersTo(shardings), numDevices);
  if (!meshes.ok())
    return {std::string(meshes.status().message())};
  std::vector<std::string> found;
  for (const Mesh &mesh : *meshes)
    found.push_back(mesh.str());
  return found;
}

TEST(TileSharding, OrdersThatDoNotGoTogetherAreSeveralMeshes) {
  using Texts = std::vector<std::string>;
  EXPECT_EQ(meshTextsFor({"{devices=[4]<=[4]}", "{devices=[2,2]<=[4]}"}, 4),
            Texts({"<[\"axis_0\"=2, \"axis_1\"=2]>"}));
  EXPECT_EQ(
      meshTextsFor({"{devices=[6,2]<=[12]}", "{devices=[4,3]<=[12]}", "{devices=[12]<=[12]}",
                    "{devices=[2,6]<=[12]}"},
                   12),
      Texts({"<[\"axis_0\"=2, \"axis_1\"=3, \"axis_2\"=2]>", "<[\"axis_0\"=4, \"axis_1\"=3]>"}));
  // What is local in regions, too.
  EXPECT_EQ(meshTextsFor({"{devices=[6,1,2]<=[12] last_tile_dims={manual}}",
                          "{devices=[1,4,3]<=[12] last_tile_dims={manual, replicated}}"},
                         12),
            Texts({"<[\"axis_0\"=6, \"axis_1\"=2]>", "<[\"axis_0\"=4, \"axis_1\"=3]>"}));
  EXPECT_EQ(meshTextsFor({"{devices=[2,2]<=[4]}", "{devices=[8]<=[8]}"}, 0),
            Texts({"{devices=[8]<=[8]} is for 8 devices, {devices=[2,2]<=[4]} for 4"}));
  Texts many;
  for (int i = 0; i < 9; ++i) { // Five devices in nine orders.
    std::vector<int> order = {0, 1, 2, 3, 4};
    for (int j = 0; j < i; ++j)
      std::next_permutation(order.begin(), order.end());
    many.push_back(absl::StrCat("{devices=[5]", absl::StrJoin(order, ","), "}"));
  }
  EXPECT_EQ(meshTextsFor({many.begin(), many.begin() + 8}, 5).size(), 8u);
  EXPECT_EQ(meshTextsFor(many, 5).size(), 1u); // A message.
}

TEST(TileSharding, PlacesSubgroups) {
  Mesh mesh = meshOf("<[\"a\"=2, \"b\"=4]>");
  auto place = [&](const std::string &text, int64_t rank) {
    absl::StatusOr<PlacedTiles> placed = placeOn(mesh, parsed(text), rank);
    if (!placed.ok())
      return std::string(placed.status().message());
    return absl::StrCat(toSpec(mesh, placed->sharding).str(), " manual ",
                        str(toSpecs(mesh, placed->manual)));
  };
  EXPECT_EQ(place("{devices=[1,1,4,2]<=[2,4]T(1,0) last_tile_dims={manual, replicated}}", 2),
            "[{}, {}] manual \"b\"");
  EXPECT_EQ(place("{devices=[2,1,4]<=[8] last_tile_dims={manual}}", 2),
            "[{\"a\"}, {}] manual \"b\"");
  EXPECT_EQ(place("{devices=[2,1,4]<=[8] last_tile_dims={unreduced}}", 2),
            "[{\"a\"}, {}], unreduced={\"b\"} manual ");
  EXPECT_EQ(place("{manual}", 1), "[{}] manual \"a\", \"b\"");
  EXPECT_EQ(place("{unreduced=max}", 1), "[{}], unreduced=max{\"a\", \"b\"} manual ");
  EXPECT_EQ(place("{unknown}", 1), "[{?}] manual ");
  EXPECT_EQ(place("{maximal device=3}", 1), "[{?}] manual ");
  EXPECT_EQ(place("{mesh['a'=2,'b'=4] [{'b':(2)2,?},{}], replicated={'a'}}", 2),
            "[{\"b\":(2)2, ?}, {}], replicated={\"a\"} manual ");
  EXPECT_EQ(place("{mesh['a'=2,'b'=4] replicated}", 2), "[{}, {}] manual ");
  EXPECT_EQ(place("{mesh['u'=4,'v'=2], device_ids=([2,4]T(1,0)) [{'u'},{}]}", 2),
            "[{\"b\"}, {}] manual ");
  EXPECT_EQ(place("{devices=[8]<=[8]}", 2),
            "sharding {devices=[8]<=[8]} is of rank 1, the tensor of rank 2");
  EXPECT_EQ(place("{devices=[4]<=[4]}", 1),
            "sharding {devices=[4]<=[4]} is for 4 devices, mesh <[\"a\"=2, \"b\"=4]> has 8");
  EXPECT_EQ(place("{devices=[8]7,0,6,1,5,2,4,3}", 1),
            "mesh <[\"a\"=2, \"b\"=4]> has no axes for {devices=[8]7,0,6,1,5,2,4,3}");
  EXPECT_EQ(place("{{replicated}}", 1), "expected the sharding of one tensor, not {{replicated}}");
}

TEST(TileSharding, ReadsAndPrintsEveryForm) {
  for (const char *text :
       {"{replicated}", "{manual}", "{unknown}", "{unknown shard_as 1}", "{maximal device=3}",
        "{unreduced}", "{unreduced metadata={op_type=\"sdy::reduction_op\" op_name=\"MIN\"}}",
        "{devices=[1,2,4]<=[8] last_tile_dims={manual, unreduced} "
        "metadata={op_type=\"sdy::reduction_op\" op_name=\"MAX\"}}",
        "{devices=[2,4]<=[8]}", "{devices=[2,4]<=[4,2]T(1,0)}", "{devices=[2,2]0,2,1,3}",
        "{devices=[2,1,4]<=[8] last_tile_dim_replicate}",
        "{devices=[1,4,2]<=[2,4]T(1,0) last_tile_dims={manual, replicated}}",
        "{{replicated}, {devices=[2]<=[2]}, {{manual}}}", "{}",
        "{mesh['x'=2,'y'=4] [{'x','y':(1)2},{?},{'y':(2)2,?}], replicated={}}",
        "{mesh['x'=2,'y'=4], device_ids=(7,6,5,4,3,2,1,0) [{},{}], unreduced=max{'x'}, "
        "manual={'y'}}"}) {
    std::string once = parsed(text).str();
    EXPECT_EQ(parsed(once).str(), once);
    if (std::string_view(text).find("replicated={}") == std::string_view::npos)
      EXPECT_EQ(once, text);
  }
  EXPECT_EQ(parsed("{devices=[2]<=[2] metadata={op_name=\"a}\\\"b\"}}").str(),
            "{devices=[2]<=[2]}");
  EXPECT_EQ(parsed("{mesh['x'=2] [{'x'}], metadata={op_name=\"a\" profile_type={1}}}").str(),
            "{mesh['x'=2] [{'x'}]}");
  EXPECT_EQ(parsed("{maximal_mesh[device_id=3]}").str(), "{maximal device=3}");
  EXPECT_EQ(parsed("{single_device[device_id=3]}").str(), "{maximal device=3}");
  EXPECT_EQ(parsed("{unreduced=min}").str(),
            "{unreduced metadata={op_type=\"sdy::reduction_op\" op_name=\"MIN\"}}");
  EXPECT_EQ(parsed("{unreduced metadata={{op_name=\"a\" stack_frame_id=3}, "
                   "{op_type=\"sdy::reduction_op\" op_name=\"MAX\"}}}")
                .reduction,
            ReductionKind::max);
}

TEST(TileSharding, SaysWhatItCannotRead) {
  auto errorOf = [](const std::string &text) {
    absl::StatusOr<TileSharding> sharding = tileShardingFromText(text);
    return sharding.ok() ? "none" : std::string(sharding.status().message());
  };
  EXPECT_EQ(errorOf(""), "column 1: expected '{'");
  EXPECT_EQ(errorOf("{sharded}"), "column 2: expected 'replicated', 'maximal', 'manual', "
                                  "'unknown', 'unreduced', 'devices' or 'mesh'");
  EXPECT_EQ(errorOf("{unreduced metadata={op_type=\"sdy::reduction_op\" op_name=\"AVG\"}}"),
            "column 64: unknown reduction 'AVG'; write SUM, MAX or MIN");
  EXPECT_EQ(errorOf("{replicated metadata={op_name=\"a\""), "column 34: expected '}'");
  EXPECT_EQ(errorOf("{devices=[2]<=[2]"), "column 18: expected '}'");
  EXPECT_EQ(errorOf("{devices=[2]0,0}"),
            "sharding {devices=[2]0,0}: devices must be below 2^31, and each named once");
  EXPECT_EQ(errorOf("{devices=[3]0,1}"),
            "sharding {devices=[3]0,1}: there are 3 tiles for 2 devices");
  EXPECT_EQ(errorOf("{devices=[4]<=[2]}"), "sharding {devices=[4]<=[2]}: the grid of devices does "
                                           "not have as many as there are tiles");
  EXPECT_EQ(errorOf("{devices=[4]<=[2,2]T(0,0)}"),
            "sharding {devices=[4]<=[2,2]T(0,0)}: the transposition does not name each dim of the "
            "grid once");
  EXPECT_EQ(errorOf("{devices=[0]<=[0]}"), "sharding {devices=[0]<=[0]}: tile dims must be "
                                           "positive, their product below 2^31");
  EXPECT_EQ(errorOf("{devices=[2]<=[2] last_tile_dims={manual, manual}}"),
            "sharding {devices=[2]<=[2] last_tile_dims={manual, manual}}: there are fewer tile "
            "dims than kinds of them");
  EXPECT_EQ(errorOf("{mesh['x'=2] [{'y'}]}"),
            "sharding {mesh['x'=2] [{'y'}]}: unknown axis \"y\"; the mesh has \"x\"");
  EXPECT_EQ(errorOf("{mesh['x'=2] [{'x'},{'x'}]}"),
            "sharding {mesh['x'=2] [{'x'},{'x'}]}: an axis is used twice");
  EXPECT_EQ(errorOf("{replicated} x"), "column 14: expected nothing more");
}

} // namespace
} // namespace spmd::test
