#include "SmallCases.h"

#include "gtest/gtest.h"

namespace spmd {
namespace {

using test::meshOf;

std::string errorOf(std::vector<MeshAxis> axes, std::vector<int64_t> ids = {}) {
  return std::string(Mesh::create(std::move(axes), std::move(ids)).status().message());
}

TEST(Mesh, SaysWhatIsWrong) {
  EXPECT_EQ(errorOf({{"", 2}}), "mesh axis 0 has no name");
  EXPECT_EQ(errorOf({{"x", 2}, {"y", 0}}), "mesh axis \"y\" has size 0; sizes are at least 1");
  EXPECT_EQ(errorOf({{"x", -3}}), "mesh axis \"x\" has size -3; sizes are at least 1");
  EXPECT_EQ(errorOf({{"x", 2}, {"x", 2}}), "mesh axis \"x\" occurs twice");
  EXPECT_EQ(errorOf({{"x", int64_t{1} << 31}}), "mesh has more than 2147483647 devices");
  EXPECT_EQ(errorOf({{"x", 1 << 16}, {"y", 1 << 15}}), "mesh has more than 2147483647 devices");
  EXPECT_EQ(errorOf({{"x", int64_t{1} << 62}, {"y", 4}}), "mesh has more than 2147483647 devices");
  EXPECT_EQ(errorOf({{"x", 2}}, {0}), "mesh has 1 device ids for 2 devices");
  EXPECT_EQ(errorOf({{"x", 2}}, {1, 2}),
            "mesh device id 2 is out of range; the ids are a permutation of 0 to 1");
  EXPECT_EQ(errorOf({{"x", 2}}, {-1, 0}),
            "mesh device id -1 is out of range; the ids are a permutation of 0 to 1");
  EXPECT_EQ(errorOf({{"x", 2}}, {1, 1}),
            "mesh device id 1 occurs twice; the ids are a permutation of 0 to 1");
  EXPECT_EQ(errorOf({}, {0, 1}), "mesh without axes has 2 device ids; a maximal mesh has one");
  EXPECT_EQ(errorOf({}, {-2}), "mesh device id is negative");
}

TEST(Mesh, AcceptsTheLargestNumberOfDevices) {
  EXPECT_EQ(errorOf({{"x", (int64_t{1} << 31) - 1}}), "");
}

TEST(Mesh, KindsAreDisjoint) {
  Mesh empty, maximal = meshOf("<[], device_ids=[3]>"), single = meshOf("<[\"x\"=1]>");
  EXPECT_TRUE(empty.isEmpty() && !empty.isMaximal() && empty.isIota());
  EXPECT_TRUE(!maximal.isEmpty() && maximal.isMaximal());
  EXPECT_EQ(maximal.numDevices(), 1);
  EXPECT_EQ(maximal.deviceAt(0), 3);
  EXPECT_TRUE(!single.isEmpty() && !single.isMaximal() && single.isIota());
}

TEST(Mesh, IdsInOrderSayNothing) {
  EXPECT_EQ(meshOf("<[\"x\"=3], device_ids=[0, 1, 2]>"), meshOf("<[\"x\"=3]>"));
  EXPECT_TRUE(meshOf("<[\"x\"=3], device_ids=[0, 1, 2]>").isIota());
  EXPECT_FALSE(meshOf("<[\"x\"=3], device_ids=[0, 2, 1]>").isIota());
}

TEST(Mesh, PositionAndIdAreInverse) {
  for (const Mesh &mesh : test::smallMeshes()) {
    std::vector<bool> seen(mesh.numDevices(), false);
    for (int64_t p = 0; p < mesh.numDevices(); ++p) {
      EXPECT_EQ(mesh.positionOf(mesh.deviceAt(p)), p) << mesh.str();
      seen[mesh.deviceAt(p)] = true;
    }
    EXPECT_EQ(std::count(seen.begin(), seen.end(), true), mesh.numDevices());
  }
}

TEST(Mesh, LastAxisRunsFastest) {
  Mesh mesh = meshOf("<[\"x\"=2, \"y\"=3, \"z\"=4]>");
  EXPECT_EQ(mesh.strideOf(0), 12);
  EXPECT_EQ(mesh.strideOf(1), 4);
  EXPECT_EQ(mesh.strideOf(2), 1);
  EXPECT_EQ(mesh.axisNamed("z"), 2);
  EXPECT_EQ(mesh.axisNamed("w"), std::nullopt);
}

TEST(Mesh, TextRoundTrips) {
  std::vector<Mesh> meshes = test::smallMeshes();
  meshes.push_back(Mesh());
  meshes.push_back(meshOf("<[], device_ids=[5]>"));
  meshes.push_back(Mesh::create({{"a \"b\" \\ \n", 2}}).value());
  for (const Mesh &mesh : meshes)
    EXPECT_EQ(meshFromText(mesh.str()).value(), mesh) << mesh.str();
}

TEST(Mesh, NamesAreEscapedAsInMlir) {
  EXPECT_EQ(quoted("x"), "\"x\"");
  EXPECT_EQ(quoted("a\"b\\c\n\xC3"), "\"a\\22b\\\\c\\0A\\C3\"");
}

TEST(Mesh, ParserSaysWhere) {
  auto error = [](std::string_view text) {
    return std::string(meshFromText(text).status().message());
  };
  EXPECT_EQ(error("[]"), "1:1: expected '<'");
  EXPECT_EQ(error("<[x=2]>"), "1:3: expected the name of a mesh axis, in quotes");
  EXPECT_EQ(error("<[\"x=2]>"), "1:3: expected the name of a mesh axis, in quotes");
  EXPECT_EQ(error("<[\"\\q\"=2]>"), "1:3: expected the name of a mesh axis, in quotes");
  EXPECT_EQ(error("<[\"x\" 2]>"), "1:7: expected '='");
  EXPECT_EQ(error("<[\"x\"=\n y]>"), "2:2: expected the size of the axis");
  EXPECT_EQ(error("<[\"x\"=99999999999999999999]>"), "1:7: expected the size of the axis");
  EXPECT_EQ(error("<[\"x\"=2], ids=[0, 1]>"), "1:11: expected 'device_ids'");
  EXPECT_EQ(error("<[\"x\"=2], device_ids=[]>"), "1:24: 'device_ids' is empty");
  EXPECT_EQ(error("<[\"x\"=2], device_ids=[a]>"), "1:23: expected a device id");
  EXPECT_EQ(error("<[\"x\"=0]>"), "1:9: mesh axis \"x\" has size 0; sizes are at least 1");
  EXPECT_EQ(error("<[\"x\"=2]> more"), "1:11: unexpected text after the end");
  EXPECT_EQ(error(""), "1:1: expected '<'");
}

} // namespace
} // namespace spmd
