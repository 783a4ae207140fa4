// Shardings over some of a program's devices.
#include "spmd/ir/sharding/Subset.h"

#include "spmd/ir/sharding/TileGrid.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

namespace spmd {
namespace {

TileSharding parsed(const std::string &text) {
  absl::StatusOr<TileSharding> sharding = tileShardingFromText(text);
  EXPECT_TRUE(sharding.ok()) << text << ": " << sharding.status();
  return sharding.value_or(TileSharding());
}

std::string covering(const std::string &text, int64_t numDevices) {
  absl::StatusOr<TileSharding> all = withIdleDevices(parsed(text), numDevices);
  return all.ok() ? all->str() : std::string(all.status().message());
}

TEST(Subset, OtherDevicesHoldCopies) {
  EXPECT_EQ(covering("{devices=[2,2]1,3,5,7}", 8),
            "{devices=[2,2,2]1,0,3,2,5,4,7,6 last_tile_dim_replicate}");
  EXPECT_EQ(covering("{devices=[4]<=[4]}", 8),
            "{devices=[4,2]0,4,1,5,2,6,3,7 last_tile_dim_replicate}");
  EXPECT_EQ(covering("{devices=[2,2]0,1,2,3 last_tile_dim_replicate}", 8),
            "{devices=[2,4]0,1,4,5,2,3,6,7 last_tile_dim_replicate}");
  EXPECT_EQ(covering("{devices=[8]<=[8]}", 8), "{devices=[8]<=[8]}");
  EXPECT_EQ(covering("{mesh['x'=2] [{'x'}]}", 4), "{mesh['idle'=2,'x'=2] [{'x'}]}");
  EXPECT_EQ(covering("{{replicated}, {devices=[1]3}}", 4),
            "{{replicated}, {devices=[1,4]3,0,1,2 last_tile_dim_replicate}}");
}

// Each device of a list keeps its tile, every other device holds one of them, and a mesh of all
// devices has axes for it wherever one can.
TEST(Subset, EveryListKeepsItsTiles) {
  for (int mask = 1; mask < 256; ++mask) {
    std::string devices;
    std::vector<int64_t> list;
    for (int64_t device = 0; device < 8; ++device)
      if (mask >> device & 1) {
        devices += (list.empty() ? "" : ",") + std::to_string(device);
        list.push_back(device);
      }
    if (8 % list.size() != 0)
      continue;
    TileSharding all = *withIdleDevices(
        parsed("{devices=[" + std::to_string(list.size()) + "]" + devices + "}"), 8);
    std::vector<int64_t> order = devicesOf(all);
    EXPECT_EQ(std::set<int64_t>(order.begin(), order.end()).size(), 8u);
    for (size_t i = 0; i < list.size(); ++i)
      EXPECT_EQ(order[i * (8 / list.size())], list[i]);
    EXPECT_TRUE(meshFor({&all}, 8).ok()) << all.str();
  }
}

TEST(Subset, MeshesGrowByAnAxis) {
  auto grown = [](std::vector<MeshAxis> axes, std::vector<int64_t> ids, int64_t numDevices) {
    absl::StatusOr<Mesh> mesh = withIdleDevices(*Mesh::create(axes, ids), numDevices);
    return mesh.ok() ? mesh->str() : std::string(mesh.status().message());
  };
  EXPECT_EQ(grown({{"y", 4}}, {}, 8), "<[\"idle\"=2, \"y\"=4]>");
  EXPECT_EQ(grown({{"idle", 2}}, {1, 0}, 4),
            "<[\"idle_1\"=2, \"idle\"=2], device_ids=[1, 0, 3, 2]>");
  EXPECT_EQ(grown({{"y", 3}}, {}, 8), "mesh <[\"y\"=3]> is over 3 of 8 devices; their number must "
                                      "divide 8");
}

TEST(Subset, SaysWhatIsNoPart) {
  EXPECT_EQ(covering("{devices=[3]0,2,4}", 8),
            "sharding {devices=[3]0,2,4} is over 3 of 8 devices; their number must divide 8");
  EXPECT_EQ(
      covering("{mesh['x'=4] manual}", 8),
      "sharding {mesh['x'=4] manual} is manual on 4 of 8 devices; computations on local values "
      "need all");
  EXPECT_EQ(covering("{devices=[2]0,8}", 8), "sharding {devices=[2]0,8} names device 8 of 8");
  EXPECT_EQ(covering("{devices=[2]<=[2]}", int64_t{1} << 30),
            "sharding {devices=[2]<=[2]} is over 2 of 1073741824 devices; at most 1048576 can be "
            "listed");
}

TEST(Subset, MeshesOfSomeDevicesBecomeLists) {
  EXPECT_EQ(parsed("{mesh['x'=2,'y'=2], device_ids=(1,3,5,7) [{'y'},{'x'}]}").str(),
            "{devices=[2,2]1,5,3,7}");
  EXPECT_EQ(parsed("{mesh['x'=2], device_ids=(4,6) replicated}").str(), "{replicated}");
}

TEST(Subset, CountsTheDevicesOfAProgram) {
  auto count = [](const std::string &text) {
    TileSharding sharding = parsed(text);
    return leastNumDevices({&sharding});
  };
  EXPECT_EQ(count("{devices=[2,2]1,3,5,7}"), 8);
  EXPECT_EQ(count("{devices=[2]0,2}"), 4);
  EXPECT_EQ(count("{maximal device=3}"), 4);
  EXPECT_EQ(count("{{replicated}, {mesh['x'=2] [{'x'}]}}"), 2);
  EXPECT_EQ(count("{replicated}"), 0);
  EXPECT_EQ(count("{{devices=[2]1,9}, {devices=[8]<=[8]}}"), 8); // Device 9 is an error.
  EXPECT_EQ(count("{{devices=[4]<=[4]}, {devices=[4]4,5,6,7}}"), 8);
  EXPECT_EQ(count("{{maximal device=5}, {maximal device=3}}"), 6);
}

} // namespace
} // namespace spmd
