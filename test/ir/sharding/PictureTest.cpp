// Pictures, written out, and against where each device's shard lies.

#include "SmallCases.h"

#include "spmd/ir/sharding/Layout.h"
#include "spmd/ir/sharding/Picture.h"

#include "gtest/gtest.h"

namespace spmd {
namespace {

using namespace test;

const Mesh &mesh2x4() {
  static const Mesh mesh = *Mesh::create({{"x", 2}, {"y", 4}}, {});
  return mesh;
}

Sharding along(std::vector<std::vector<int32_t>> axes) {
  Sharding sharding = Sharding::replicatedOf(axes.size(), /*open=*/false);
  for (size_t d = 0; d < axes.size(); ++d)
    for (int32_t axis : axes[d])
      sharding.dims[d].axes.push_back(wholeAxis(mesh2x4(), axis));
  return sharding;
}

TEST(Picture, RowsAndColumnsAreShards) {
  EXPECT_EQ(pictureOf(mesh2x4(), along({{0}, {1}}), {15, 10}),
            "        dim 1:  0..2  3..5  6..8  9\n"
            "dim 0:  0..7    0     1     2     3\n"
            "        8..14   4     5     6     7\n");
  EXPECT_EQ(pictureOf(mesh2x4(), along({{}, {1}, {}}), {3, 8, 5}), "dim 1:  0..1  0, 4\n"
                                                                   "        2..3  1, 5\n"
                                                                   "        4..5  2, 6\n"
                                                                   "        6..7  3, 7\n");
  EXPECT_EQ(pictureOf(mesh2x4(), along({{0}}), {1}), "dim 0:  0     0-3\n"
                                                     "        none  4-7\n");
  EXPECT_EQ(pictureOf(mesh2x4(), along({{}}), {4}), "whole: 0-7\n");
}

TEST(Picture, SumsAreSaid) {
  Sharding sharding = along({{0}});
  sharding.unreduced.push_back(wholeAxis(mesh2x4(), 1));
  EXPECT_EQ(pictureOf(mesh2x4(), sharding, {4}), "dim 0:  0..1  0-3\n"
                                                 "        2..3  4-7\n"
                                                 "each device holds one of 4 addends\n");
}

TEST(Picture, MoreDimsAreSeveralPictures) {
  Mesh mesh = *Mesh::create({{"x", 2}, {"y", 2}, {"z", 2}}, {7, 6, 5, 4, 3, 2, 1, 0});
  Sharding sharding = Sharding::replicatedOf(3, /*open=*/false);
  for (int32_t axis = 0; axis < 3; ++axis)
    sharding.dims[axis].axes.push_back(wholeAxis(mesh, axis));
  EXPECT_EQ(pictureOf(mesh, sharding, {2, 4, 6}), "dim 0: 0\n"
                                                  "        dim 2:  0..2  3..5\n"
                                                  "dim 1:  0..1    7     6\n"
                                                  "        2..3    5     4\n"
                                                  "dim 0: 1\n"
                                                  "        dim 2:  0..2  3..5\n"
                                                  "dim 1:  0..1    3     2\n"
                                                  "        2..3    1     0\n");
}

TEST(Picture, LargeOnesAreCounted) {
  Mesh mesh = *Mesh::create({{"x", 128}, {"y", 64}}, {});
  Sharding sharding = Sharding::replicatedOf(2, /*open=*/false);
  sharding.dims[0].axes.push_back(wholeAxis(mesh, 0));
  sharding.dims[1].axes.push_back(wholeAxis(mesh, 1));
  EXPECT_EQ(pictureOf(mesh, sharding, {1024, 1024}), "8192 parts, too many for a picture\n");
}

/// Every device stands in the row that its shard begins in.
TEST(Picture, AgreesWithTheShardsOfAllDevices) {
  for (const Mesh &mesh : smallMeshes())
    for (const Sharding &sharding : allMatrixShardings(mesh)) {
      if (numShards(sharding.dims[0]) == 1 || numShards(sharding.dims[1]) > 1)
        continue;
      std::vector<int64_t> shape = {12, 5};
      std::string picture = pictureOf(mesh, sharding, shape);
      for (int64_t p = 0; p < mesh.numDevices(); ++p) {
        Shard shard = shardAt(mesh, sharding, shape, p);
        if (shard.sizes[0] < 2)
          continue;
        std::string range = std::to_string(shard.offsets[0]) + ".." +
                            std::to_string(shard.offsets[0] + shard.sizes[0] - 1) + " ";
        EXPECT_NE(picture.find(range), std::string::npos) << picture << range;
      }
    }
}

} // namespace
} // namespace spmd
