// Layouts against an oracle that goes through devices and elements one by one.

#include "SmallCases.h"

#include "gtest/gtest.h"

namespace spmd {
namespace {

using namespace test;

/// Returns the shard that each of `size` elements falls into when dealt out in equal runs to
/// `shards` takers, each run as short as it can be for the last element to find a taker.
std::vector<int64_t> dealOut(int64_t size, int64_t shards) {
  int64_t run = 0;
  while (run * shards < size)
    ++run;
  std::vector<int64_t> owners;
  for (int64_t element = 0, taker = 0, left = run; element < size; ++element, --left) {
    if (left == 0) {
      ++taker;
      left = run;
    }
    owners.push_back(taker);
  }
  return owners;
}

TEST(Layout, EachDeviceHoldsWhatTheDefinitionDealsIt) {
  for (const Mesh &mesh : smallMeshes())
    for (const Sharding &sharding : allMatrixShardings(mesh))
      for (std::vector<int64_t> shape : {std::vector<int64_t>{7, 5}, {8, 1}, {2, 12}}) {
        std::vector<std::vector<int64_t>> owners;
        for (size_t d = 0; d < shape.size(); ++d)
          owners.push_back(dealOut(shape[d], numShards(sharding.dims[d])));
        std::vector<int64_t> local = localShape(sharding, shape);
        int64_t held = 0;
        for (int64_t p = 0; p < mesh.numDevices(); ++p) {
          Shard shard = shardAt(mesh, sharding, shape, p);
          int64_t count = 1;
          for (size_t d = 0; d < shape.size(); ++d) {
            int64_t index = 0;
            for (const AxisRef &ref : sharding.dims[d].axes)
              index = index * ref.size + coordinateBySearch(mesh, p, ref);
            for (int64_t element = 0; element < shape[d]; ++element) {
              bool inBox =
                  element >= shard.offsets[d] && element < shard.offsets[d] + shard.sizes[d];
              ASSERT_EQ(inBox, owners[d][element] == index)
                  << mesh.str() << toSpec(mesh, sharding).str() << " device " << p << " dim " << d;
            }
            ASSERT_GE(shard.offsets[d], 0);
            ASSERT_LE(shard.offsets[d] + shard.sizes[d], shape[d]);
            ASSERT_LE(shard.sizes[d], local[d]);
            count *= shard.sizes[d];
          }
          ASSERT_EQ(shard.isEmpty(), count == 0);
          held += count;
        }
        // Each element is held by as many devices as there are replicas.
        int64_t shards = numShards(sharding.dims[0]) * numShards(sharding.dims[1]);
        ASSERT_EQ(held * shards, shape[0] * shape[1] * mesh.numDevices());
      }
}

TEST(Layout, UnevenAndEmptyShards) {
  Mesh mesh = meshOf("<[\"x\"=4]>");
  auto sizes = [&](int64_t size) {
    Sharding sharding = shardingOf(mesh, "[{\"x\"}]");
    std::vector<int64_t> result;
    for (int64_t p = 0; p < 4; ++p)
      result.push_back(shardAt(mesh, sharding, {size}, p).sizes[0]);
    return result;
  };
  EXPECT_EQ(sizes(10), (std::vector<int64_t>{3, 3, 3, 1}));
  EXPECT_EQ(sizes(5), (std::vector<int64_t>{2, 2, 1, 0}));
  EXPECT_EQ(sizes(2), (std::vector<int64_t>{1, 1, 0, 0}));
  EXPECT_EQ(sizes(8), (std::vector<int64_t>{2, 2, 2, 2}));
  EXPECT_EQ(shardSize(0, 4), 0);
}

TEST(Layout, PaddingFillsUpToEqualShards) {
  for (const Mesh &mesh : smallMeshes())
    for (const Sharding &sharding : allMatrixShardings(mesh)) {
      std::vector<int64_t> shape = {7, 12}, local = localShape(sharding, shape),
                           padded = paddedShape(sharding, shape);
      bool even = true;
      for (int64_t p = 0; p < mesh.numDevices(); ++p)
        even &= shardAt(mesh, sharding, shape, p).sizes == local;
      EXPECT_EQ(dividesEvenly(sharding, shape), even);
      EXPECT_EQ(even, padded == shape);
      for (size_t d = 0; d < 2; ++d) {
        EXPECT_GE(padded[d], shape[d]);
        EXPECT_EQ(padded[d], local[d] * numShards(sharding.dims[d]));
      }
    }
}

TEST(Layout, ScalarsAreWholeEverywhere) {
  Mesh mesh = meshOf("<[\"x\"=4]>");
  Shard shard = shardAt(mesh, Sharding(), {}, 3);
  EXPECT_TRUE(shard.offsets.empty() && shard.sizes.empty() && !shard.isEmpty());
  EXPECT_TRUE(localShape(Sharding(), {}).empty());
}

TEST(Layout, VerifySaysWhatIsWrong) {
  Mesh mesh = meshOf("<[\"x\"=2, \"y\"=12]>");
  auto error = [&](std::string_view text, std::vector<int64_t> shape, bool isTensor = true) {
    return std::string(verify(mesh, shardingOf(mesh, text), shape, isTensor).message());
  };
  EXPECT_EQ(error("[{}]", {}, false), "sharding has 1 dims, but the value is no tensor");
  EXPECT_EQ(error("[{}]", {4, 4}), "sharding has 1 dims, the tensor has 2");
  EXPECT_EQ(error("[]", {4}), "sharding has 0 dims, the tensor has 1");
  EXPECT_EQ(error("[{\"x\"}, {\"x\"}]", {4, 4}), "dim 1: axis \"x\" is already used by dim 0");
  EXPECT_EQ(error("[{\"x\", \"x\"}]", {4}), "dim 0: axis \"x\" is already used by dim 0");
  EXPECT_EQ(error("[{\"y\":(1)4}, {\"y\":(2)3}]", {4, 4}),
            "dim 1: axis \"y\":(2)3 is already used by dim 0 as \"y\":(1)4");
  EXPECT_EQ(error("[{\"y\":(1)2}, {\"y\":(3)2}]", {4, 4}),
            "dim 1: \"y\":(3)2 cannot stand beside \"y\":(1)2 of dim 0; no cut of the axis has "
            "both parts");
  EXPECT_EQ(error("[{\"y\":(1)2, \"y\":(2)3}]", {4}),
            "dim 0: \"y\":(1)2 and \"y\":(2)3 follow each other; write them as one");
  EXPECT_EQ(error("[{\"x\"}, {\"y\":(2)1}]", {4, 4}),
            "dim 1: sub-axis \"y\":(2)1 has size 1; leave it out");
  EXPECT_EQ(error("[{}], replicated={\"y\":(1)1}", {4}),
            "replicated: sub-axis \"y\":(1)1 has size 1; leave it out");
  EXPECT_EQ(error("[{\"y\":(1)2}], replicated={\"y\":(2)2, \"y\":(4)3}", {4}),
            "replicated: \"y\":(2)2 and \"y\":(4)3 follow each other; write them as one");
  EXPECT_EQ(error("[{}], replicated={\"y\", \"x\"}", {4}),
            "replicated axes are not in the order of the mesh");
  EXPECT_EQ(error("[{}], unreduced={\"y\", \"x\"}", {4}),
            "unreduced axes are not in the order of the mesh");
  EXPECT_EQ(error("[{\"x\"}], replicated={\"x\"}", {4}),
            "replicated: axis \"x\" is already used by dim 0");
  EXPECT_EQ(error("[{}], replicated={\"x\"}, unreduced={\"x\"}", {4}),
            "unreduced: axis \"x\" is already used by replicated");
  EXPECT_EQ(error("[{?}]", {0}), "");
  EXPECT_EQ(error("[]", {}, false), "");
  EXPECT_EQ(error("[{\"y\":(2)2, \"x\", \"y\":(1)2}, {?}p1], unreduced={\"y\":(4)3}", {4, 4}), "");
  Sharding priority = Sharding::replicatedOf(1);
  priority.dims[0].priority = 1;
  EXPECT_EQ(verify(mesh, priority, {4}).message(),
            "dim 0 is closed and empty, where a priority has no meaning");
}

TEST(Layout, MaximalShardingTakesAnyRank) {
  Mesh maximal = meshOf("<[], device_ids=[3]>");
  EXPECT_TRUE(verify(maximal, Sharding(), {4, 4}).ok());
  EXPECT_FALSE(verify(maximal, Sharding::replicatedOf(1), {4, 4}).ok());
  EXPECT_FALSE(verify(Mesh(), Sharding(), {4, 4}).ok());
}

} // namespace
} // namespace spmd
