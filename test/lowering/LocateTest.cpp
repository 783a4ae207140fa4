// Parts of which nobody says where they lie.
#include "Programs.h"

#include "spmd/lowering/interpreter/Boundary.h"
#include "spmd/lowering/interpreter/Locate.h"

namespace spmd::test {
namespace {

Tensor squares(Ints shape) {
  Tensor tensor = *Tensor::allocate(f32(std::move(shape)));
  for (int64_t i = 0; i < tensor.numElements(); ++i)
    tensor.mutableAs<float>()[i] = i * i;
  return tensor;
}

std::vector<Tensor> partsOf(const Tensor &global, const char *sharding,
                            const char *mesh = "<[\"x\"=2, \"y\"=2]>") {
  auto parts = cut({global.type(), mesh, sharding, -1, ""}, global, 4);
  EXPECT_TRUE(parts.ok()) << parts.status();
  return *std::move(parts);
}

/// Returns "equal", what differs, or the error.
std::string verdict(const std::vector<Tensor> &parts, const Tensor &expected) {
  absl::StatusOr<Comparison> comparison = compareParts(parts, expected, 0, 0.5);
  if (!comparison.ok())
    return std::string(comparison.status().message());
  return comparison->equal ? "equal" : comparison->message;
}

TEST(Locate, FindsEveryCut) {
  for (const char *sharding : {"[{}, {}]", "[{\"x\"}, {}]", "[{\"y\"}, {\"x\"}]",
                               "[{\"y\", \"x\"}, {}]", "[{}, {\"x\", \"y\"}]"})
    for (const char *mesh :
         {"<[\"x\"=2, \"y\"=2]>", "<[\"x\"=2, \"y\"=2], device_ids=[2, 0, 3, 1]>"})
      for (const Ints &shape : {Ints{4, 8}, Ints{3, 5}, Ints{2, 1}, Ints{1, 6}}) {
        Tensor global = squares(shape);
        EXPECT_EQ(verdict(partsOf(global, sharding, mesh), global), "equal")
            << sharding << " of " << global.type().str();
      }
}

TEST(Locate, SaysWhatNobodyHolds) {
  Tensor global = squares({4});
  std::vector<Tensor> parts = partsOf(global, "[{\"x\"}]");
  parts[2] = parts[3] = parts[0];
  EXPECT_EQ(verdict(parts, global),
            "no device holds the part at [2]; in the nearest, [0] is 0, expected 4");
}

TEST(Locate, SaysWhichDeviceHoldsNoPart) {
  Tensor global = squares({4});
  std::vector<Tensor> parts = partsOf(global, "[{\"x\"}]");
  parts[1] = squares({2});
  parts[1].mutableAs<float>()[1] = 7;
  EXPECT_EQ(verdict(parts, global), "what device 1 holds is no part; in the nearest, [1] is 7, "
                                    "expected 1");
}

TEST(Locate, OnlyPaddingIsNoPart) {
  Tensor global = squares({2}); // Over four devices: two hold a row, two nothing.
  std::vector<Tensor> parts = partsOf(global, "[{\"x\", \"y\"}]");
  EXPECT_EQ(verdict(parts, global), "equal");
  parts[1] = parts[0];
  EXPECT_EQ(verdict(parts, global),
            "no device holds the part at [1]; in the nearest, [0] is 0, expected 1");
}

TEST(Locate, PartsMakeUpTheWhole) {
  EXPECT_EQ(verdict(partsOf(squares({4}), "[{\"x\"}]"), squares({10})),
            "parts of 2xf32 on 4 devices do not make up 10xf32");
  EXPECT_EQ(verdict(partsOf(squares({4}), "[{}]"), squares({3})),
            "parts of 4xf32 on 4 devices do not make up 3xf32");
  EXPECT_EQ(verdict(partsOf(squares({4}), "[{}]"), squares({4, 1})),
            "devices hold parts of type 4xf32; expected is 4x1xf32");
}

TEST(Locate, GlobalShapeIsThatOfTheSameParts) {
  Boundary b{f32({8}), "<[\"x\"=4]>", "[{\"x\"}]", -1, "", Known::sharding};
  EXPECT_TRUE(setGlobalShape(b, {7}, 4).ok());
  EXPECT_EQ(b.global, f32({7}));
  EXPECT_EQ(setGlobalShape(b, {9}, 4).message(),
            "one device's part of 9xf32 is 3xf32; the program has 2xf32");
  EXPECT_EQ(b.global, f32({7}));
}

} // namespace
} // namespace spmd::test
