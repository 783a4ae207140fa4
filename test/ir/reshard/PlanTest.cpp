// Plans as text: one example for each kind of step, errors, costs, and the time planning takes.
#include "spmd/ir/reshard/Reshard.h"
#include "spmd/ir/sharding/Spec.h"

#include "gtest/gtest.h"

#include <chrono>
#include <cstdio>

namespace spmd {
namespace {

Mesh meshOf(const char *text) { return *meshFromText(text); }

Sharding shardingOf(const Mesh &mesh, const char *text) {
  return *resolve(mesh, *shardingFromText(text));
}

const char *const mesh2x4 = R"(<["x"=2, "y"=4]>)";

Plan planOf(const char *meshText, const char *from, const char *to, std::vector<int64_t> shape) {
  Mesh mesh = meshOf(meshText);
  return *planReshard({&mesh, shardingOf(mesh, from)}, {&mesh, shardingOf(mesh, to)}, shape, 4);
}

std::string textOf(const char *from, const char *to, std::vector<int64_t> shape = {16, 32}) {
  return planOf(mesh2x4, from, to, shape).str();
}

TEST(PlanText, Slice) {
  EXPECT_EQ(textOf(R"([{"x"}, {}])", R"([{"x", "y"}, {}])"),
            "%1 = dynamic_slice %0 dim 0 at {\"y\"} * 2 8x32 -> 2x32\n");
}

TEST(PlanText, GatherOfAMinorAxis) {
  EXPECT_EQ(textOf(R"([{"x", "y"}, {}])", R"([{"x"}, {}])"),
            "%1 = all_gather %0 dim 0 over {\"y\"} 2x32 -> 8x32\n");
}

TEST(PlanText, GatherOverTheUnionOfAxes) {
  EXPECT_EQ(textOf(R"([{"x"}, {"y"}])", R"([{}, {}])"),
            "%1 = reshape %0 8x8 -> 1x8x8\n"
            "%2 = all_gather %1 dim 0 over {\"x\", \"y\"} 1x8x8 -> 8x8x8\n"
            "%3 = reshape %2 8x8x8 -> 2x4x8x8\n"
            "%4 = transpose %3 (0, 2, 1, 3) 2x4x8x8 -> 2x8x4x8\n"
            "%5 = reshape %4 2x8x4x8 -> 16x32\n");
}

TEST(PlanText, AllToAll) {
  EXPECT_EQ(textOf(R"([{"y"}, {}])", R"([{}, {"y"}])"),
            "%1 = all_to_all %0 dim 1 to 0 over {\"y\"} 4x32 -> 16x8\n");
}

TEST(PlanText, ReduceScatterThenAllReduceOfLess) {
  EXPECT_EQ(textOf(R"([{}, {}], unreduced={"x", "y"})", R"([{"x"}, {}])"),
            "%1 = reduce_scatter %0 sum dim 0 over {\"x\"} 16x32 -> 8x32\n"
            "%2 = all_reduce %1 sum over {\"y\"} 8x32 -> 8x32\n");
}

// Blocks of 5 would become blocks of 6, halves of them, and blocks of 9 and 7: five collectives.
// Many rows take that way, as fewer bytes travel.
TEST(PlanText, FewRowsAreWholeOnTheWay) {
  auto plan = [](int64_t rows) {
    return planOf(R"(<["x"=3, "y"=2]>)", R"([{"x"}], unreduced={"y"})", R"([{"y"}])", {rows});
  };
  EXPECT_EQ(plan(14).str(), "%1 = all_reduce %0 sum over {\"y\"} 5 -> 5\n"
                            "%2 = all_gather %1 dim 0 over {\"x\"} 5 -> 15\n"
                            "%3 = trim %2 15 -> 14\n"
                            "%4 = dynamic_slice %3 dim 0 at {\"y\"} * 7 14 -> 7\n");
  EXPECT_EQ(plan(1400).numCollectives(), 5);
}

TEST(PlanText, ShardsBecomeSharesWithoutCommunication) {
  EXPECT_EQ(textOf(R"([{"x"}, {}])", R"([{}, {}], unreduced=max{"x"})"),
            "%1 = dynamic_update %0 dim 0 at {\"x\"} * 8 of identity of max 8x32 -> 16x32\n");
}

TEST(PlanText, ReplicasBecomeShares) {
  EXPECT_EQ(textOf(R"([{"x"}, {}])", R"([{"x"}, {}], unreduced={"y"})"),
            "%1 = mask %0 over {\"y\"} at 0 else identity of sum 8x32 -> 8x32\n");
}

TEST(PlanText, OtherAxis) {
  EXPECT_EQ(textOf(R"([{"x", "y"}, {}])", R"([{"y", "x"}, {}])"),
            "%1 = permute %0 ({\"x\", \"y\"}) -> ({\"y\", \"x\"}) 2x32 -> 2x32\n");
}

TEST(PlanText, OtherAxisOfOtherSize) {
  EXPECT_EQ(textOf(R"([{"y"}, {}])", R"([{"x"}, {}])"),
            "%1 = permute %0 ({\"y\"}) -> ({\"x\", \"y\":(2)2}) 4x32 -> 4x32\n"
            "%2 = all_gather %1 dim 0 over {\"y\":(2)2} 4x32 -> 8x32\n");
}

TEST(PlanText, UnevenRowsMoveBetweenNeighbours) {
  EXPECT_EQ(textOf(R"([{"x"}, {}])", R"([{"x", "y"}, {}])", {11, 3}),
            "%1 = dynamic_update %0 dim 0 at {\"x\"} * -2 + 2 of nothing 6x3 -> 10x3\n"
            "%2 = dynamic_slice %0 dim 0 at 0 6x3 -> 2x3\n"
            "%3 = permute %2 along ({\"x\"}, {\"y\"}) to 0..0 from +1 2x3 -> 2x3\n"
            "%4 = dynamic_update %3 dim 0 at {\"x\"} * -2 + 8 of %1 2x3 -> 10x3\n"
            "%5 = dynamic_slice %4 dim 0 at 2 10x3 -> 8x3\n"
            "%6 = dynamic_slice %5 dim 0 at {\"y\"} * 2 8x3 -> 2x3\n");
}

// 3 rows over 8 devices: a straight gather would send as many rows as there are devices.
TEST(PlanText, ShardsThatAreMostlyPaddingGoAlongAnotherDimFirst) {
  EXPECT_EQ(textOf(R"([{"x", "y"}, {}])", R"([{}, {}])", {3, 64}),
            "%1 = all_to_all %0 dim 1 to 0 over {\"x\", \"y\"} 1x64 -> 8x8\n"
            "%2 = trim %1 8x8 -> 3x8\n"
            "%3 = all_gather %2 dim 1 over {\"x\", \"y\"} 3x8 -> 3x64\n");
}

TEST(PlanText, SumsAreScatteredAlongAnotherDimFirst) {
  EXPECT_EQ(textOf(R"([{}, {}], unreduced={"x", "y"})", R"([{"x", "y"}, {}])", {3, 64}),
            "%1 = reduce_scatter %0 sum dim 1 over {\"x\", \"y\"} 3x64 -> 3x8\n"
            "%2 = pad %1 3x8 -> 8x8\n"
            "%3 = all_to_all %2 dim 0 to 1 over {\"x\", \"y\"} 8x8 -> 1x64\n");
}

TEST(PlanText, PairsOfAPermute) {
  Plan plan = planOf(R"(<["x"=2, "y"=2]>)", R"([{"x"}])", R"([{"y"}])", {4});
  ASSERT_EQ(plan.steps().size(), 1u);
  std::vector<std::pair<int64_t, int64_t>> expected{{0, 0}, {2, 1}, {1, 2}, {3, 3}};
  EXPECT_EQ(plan.pairs(plan.steps()[0]), expected);
}

TEST(PlanCost, BytesPlusLatency) {
  Plan plan = planOf(mesh2x4, R"([{"y"}, {}])", R"([{}, {"y"}])", {16, 32});
  EXPECT_EQ(plan.wireBytes(), 4 * 32 * 4 * 3 / 4);
  EXPECT_DOUBLE_EQ(plan.cost({1e-6, 1e9}), 1e-6 + 384e-9);
  EXPECT_EQ(plan.peakBytes(), 2 * 4 * 32 * 4);
}

TEST(PlanErrors, SayWhatToDo) {
  Mesh mesh = meshOf(mesh2x4), small = meshOf(R"(<["x"=2]>)"),
       maximal = meshOf("<[], device_ids=[0]>");
  Layout here{&mesh, Sharding::replicatedOf(1)};
  auto error = [&](const Layout &to, std::vector<int64_t> shape, int64_t bytes = 4) {
    return std::string(planReshard(here, to, shape, bytes).status().message());
  };
  EXPECT_EQ(
      error({&small, Sharding::replicatedOf(1)}, {4}),
      "source mesh has 8 devices, target mesh 2; a tensor is resharded among the devices it is on");
  EXPECT_EQ(error({&maximal, Sharding::replicatedOf(1)}, {4}),
            "the target mesh has no axes; give a maximal or empty mesh the axes of the devices it "
            "stands for first");
  EXPECT_EQ(error({&mesh, Sharding::replicatedOf(2)}, {4}),
            "target sharding: sharding has 2 dims, the tensor has 1");
  EXPECT_EQ(error(here, {4}, 0), "an element has 0 bytes; at least 1 is needed");
}

TEST(PlanCache, PlansOnce) {
  Mesh mesh = meshOf(mesh2x4);
  Layout from{&mesh, shardingOf(mesh, R"([{"x"}])")}, to{&mesh, shardingOf(mesh, R"([{"y"}])")};
  PlanCache cache;
  const Plan *first = *cache.plan(from, to, {16}, 4);
  EXPECT_EQ(first, *cache.plan(from, to, {16}, 4));
  EXPECT_NE(first, *cache.plan(from, to, {16}, 8));
  EXPECT_EQ(cache.size(), 2u);
}

TEST(PlanTime, DoesNotGrowWithTheDevices) {
  for (const char *text : {mesh2x4, R"(<["x"=64, "y"=128]>)"}) {
    Mesh mesh = meshOf(text);
    Sharding from = shardingOf(mesh, R"([{"x"}, {"y"}])"), to = shardingOf(mesh, R"([{"y"}, {}])");
    std::vector<int64_t> shape{16384, 16384};
    auto start = std::chrono::steady_clock::now();
    constexpr int times = 2000;
    for (int i = 0; i < times; ++i)
      ASSERT_TRUE(planReshard({&mesh, from}, {&mesh, to}, shape, 4).ok());
    double seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() / times;
    std::printf("%s: %.1f us a plan\n", text, seconds * 1e6);
    EXPECT_LT(seconds, 1e-3);
  }
}

} // namespace
} // namespace spmd
