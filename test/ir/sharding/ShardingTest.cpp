#include "SmallCases.h"

#include "absl/hash/hash_testing.h"
#include "gtest/gtest.h"

namespace spmd {
namespace {

using namespace test;

TEST(Sharding, ReplicatedUsesNoAxis) {
  EXPECT_TRUE(Sharding::replicatedOf(2).isFullyReplicated());
  EXPECT_TRUE(Sharding::replicatedOf(2, true).dims[1].open);
  EXPECT_TRUE(Sharding::replicatedOf(2).usedAxes().empty());
}

TEST(Sharding, UsedAxesAreInMeshOrder) {
  Mesh mesh = meshOf("<[\"x\"=2, \"y\"=4, \"z\"=2]>");
  Sharding sharding =
      shardingOf(mesh, "[{\"y\":(2)2, \"x\"}, {}], replicated={\"z\"}, unreduced={\"y\":(1)2}");
  EXPECT_EQ(str(toSpecs(mesh, sharding.usedAxes())), "\"x\", \"y\":(1)2, \"y\":(2)2");
  EXPECT_EQ(str(toSpecs(mesh, sharding.usedAxes(true))), "\"x\", \"y\":(1)2, \"y\":(2)2, \"z\"");
  EXPECT_FALSE(sharding.isFullyReplicated());
  EXPECT_FALSE(shardingOf(mesh, "[{}], unreduced={\"x\"}").isFullyReplicated());
  EXPECT_TRUE(shardingOf(mesh, "[{}], replicated={\"x\"}").isFullyReplicated());
}

TEST(Sharding, LayoutDropsWishes) {
  Mesh mesh = meshOf("<[\"x\"=4, \"y\"=1, \"z\"=2]>");
  auto layout = [&](std::string_view text) {
    return toSpec(mesh, shardingOf(mesh, text).layout()).str();
  };
  EXPECT_EQ(layout("[{\"x\", ?}p1, {?}], replicated={\"z\"}"), "[{\"x\"}, {}]");
  EXPECT_EQ(layout("[{\"x\":(1)2, \"y\", \"x\":(2)2}]"), "[{\"x\"}]");
  EXPECT_EQ(layout("[{}], unreduced=max{\"x\":(1)2, \"x\":(2)2}"), "[{}], unreduced=max{\"x\"}");
  EXPECT_EQ(layout("[{}], unreduced=max{\"y\"}"), "[{}]");
  // The kind of nothing is sum, so that equal layouts compare equal.
  EXPECT_EQ(shardingOf(mesh, "[{}], unreduced=max{\"y\"}").layout(), Sharding::replicatedOf(1));
}

TEST(Sharding, EqualLayoutsHoldTheSame) {
  for (const Mesh &mesh : smallMeshes())
    for (const Sharding &sharding : allMatrixShardings(mesh))
      for (int64_t p = 0; p < mesh.numDevices(); ++p) {
        Shard whole = shardAt(mesh, sharding, {7, 5}, p),
              layout = shardAt(mesh, sharding.layout(), {7, 5}, p);
        ASSERT_EQ(whole.offsets, layout.offsets);
        ASSERT_EQ(whole.sizes, layout.sizes);
      }
}

TEST(Sharding, HashFollowsEquality) {
  Mesh mesh = meshOf("<[\"x\"=4, \"y\"=2]>");
  std::vector<Sharding> all = allMatrixShardings(mesh);
  for (const char *text : {"[{?}, {}]", "[{}, {?}p1]", "[{}, {}], replicated={\"x\"}",
                           "[{}, {}], unreduced={\"x\"}", "[{}, {}], unreduced=max{\"x\"}"})
    all.push_back(shardingOf(mesh, text));
  EXPECT_TRUE(absl::VerifyTypeImplementsAbslHashCorrectly(all));
}

TEST(Reduction, NamesAreInverse) {
  for (ReductionKind kind : allReductionKinds)
    EXPECT_EQ(reductionNamed(nameOf(kind)), kind);
  EXPECT_EQ(reductionNamed("mean"), std::nullopt);
  EXPECT_EQ(reductionNamed(""), std::nullopt);
}

} // namespace
} // namespace spmd
