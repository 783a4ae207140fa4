// Shardings as HLO's message and as text mean the same on every device.

#include "SmallCases.h"
#include "SmallGrids.h"

#include "spmd/dialect/import/hlo/OpSharding.h"
#include "spmd/ir/hlo/Hlo.h"

#include "gtest/gtest.h"

namespace spmd::test {
namespace {

/// Reads `text` as HLO's message, and what that says as text.
TileSharding throughMessage(const std::string &text) {
  auto message = hlo::parseHloSharding(text);
  EXPECT_TRUE(message.ok()) << text << ": " << message.status();
  if (!message.ok())
    return {};
  EXPECT_EQ(textOf(*hlo::parseHloSharding(hlo::printHloSharding(*message))), textOf(*message));
  auto read = tileShardingFromText(textOf(*message));
  EXPECT_TRUE(read.ok()) << text << ": " << read.status();
  return read.ok() ? *read : TileSharding();
}

TEST(OpSharding, EveryGridOfUpToTwelveDevices) {
  for (int64_t count = 1; count <= 12; ++count)
    for (const TileSharding &grid : allGrids(count)) {
      TileSharding listed = grid;
      listed.devices = devicesByDefinition(grid);
      for (const TileSharding &each : {grid, listed}) {
        TileSharding back = throughMessage(each.str());
        EXPECT_EQ(back.subgroups, each.subgroups) << each.str();
        EXPECT_EQ(coordinatesOf(back), coordinatesOf(grid)) << each.str();
      }
    }
}

TEST(OpSharding, MetadataSaysHowSharesCombine) {
  const std::string metadata = "metadata={op_type=\"sdy::reduction_op\" op_name=\"MAX\"}";
  for (std::string text : {"{unreduced " + metadata + "}",
                           "{devices=[2,4]<=[8] last_tile_dims={unreduced} " + metadata + "}"})
    EXPECT_EQ(throughMessage(text).str(), text);
}

TEST(OpSharding, EveryNamedSharding) {
  for (const Mesh &mesh : meshesOfUpTo(12))
    for (const Sharding &sharding : allMatrixShardings(mesh)) {
      TileSharding named;
      named.kind = TileSharding::Kind::named;
      named.mesh = mesh;
      named.spec = toSpec(mesh, sharding);
      TileSharding back = throughMessage(named.str());
      EXPECT_EQ(back.str(), named.str());
    }
}

} // namespace
} // namespace spmd::test
