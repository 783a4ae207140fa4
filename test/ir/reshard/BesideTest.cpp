// Plans that leave an axis alone: each place along it has a tensor of its own.
#include "AllPairs.h"

#include "gtest/gtest.h"

namespace spmd::test {
namespace {

const char *const mesh2x3x2 = R"(<["a"=2, "m"=3, "b"=2]>)";

/// The tensor at place c along the held axes is the usual one, times 2c+1.
std::vector<Block> scaled(const Mesh &mesh, absl::Span<const AxisRef> held,
                          std::vector<Block> blocks, bool back) {
  for (int64_t position = 0; position < mesh.numDevices(); ++position) {
    int64_t factor = 2 * coordinateOf(mesh, position, held) + 1;
    for (int64_t &element : blocks[mesh.deviceAt(position)])
      if (element != poison)
        element = !back ? element * factor : element % factor == 0 ? element / factor : poison;
  }
  return blocks;
}

void checkPair(const Layout &from, const Layout &to, absl::Span<const AxisRef> held,
               absl::Span<const int64_t> shape) {
  std::string pair = textOf(from) + " -> " + textOf(to);
  absl::StatusOr<Plan> plan = planBeside(held, from, to, shape, 1);
  ASSERT_TRUE(plan.ok()) << pair << ": " << plan.status();
  int64_t sent = 0;
  std::vector<Block> result =
      execute(*plan, scaled(*from.mesh, held, blocksOf(from, shape), false), sent);
  EXPECT_EQ(compare(from, to, shape, scaled(*from.mesh, held, std::move(result), true)), "")
      << pair << "\n"
      << plan->str();
}

void checkAllBeside(const Mesh &mesh, absl::Span<const AxisRef> free,
                    absl::Span<const AxisRef> held, std::vector<int64_t> shape) {
  std::vector<Sharding> all = allShardings(2, free, /*partial=*/true);
  for (const Sharding &from : all)
    for (const Sharding &to : all)
      checkPair({&mesh, from}, {&mesh, to}, held, shape);
}

TEST(PlanBeside, HeldAxisInTheMiddle) {
  Mesh mesh = meshOf(mesh2x3x2);
  checkAllBeside(mesh, std::vector<AxisRef>{{0, 1, 2}, {2, 1, 2}}, std::vector<AxisRef>{{1, 1, 3}},
                 {4, 8});
}

TEST(PlanBeside, UnevenDims) {
  Mesh mesh = meshOf(R"(<["a"=3, "m"=2, "b"=2]>)");
  checkAllBeside(mesh, std::vector<AxisRef>{{0, 1, 3}, {2, 1, 2}}, std::vector<AxisRef>{{1, 1, 2}},
                 {5, 7});
}

TEST(PlanBeside, TwoHeldAxesAndADeviceOrder) {
  Mesh mesh = meshOf(R"(<["m"=2, "a"=2, "n"=2], device_ids=[3, 1, 0, 2, 7, 6, 5, 4]>)");
  checkAllBeside(mesh, std::vector<AxisRef>{{1, 1, 2}}, std::vector<AxisRef>{{0, 1, 2}, {2, 1, 2}},
                 {6, 5});
}

TEST(PlanBeside, HeldAxesAreNotUsed) {
  Mesh mesh = meshOf(mesh2x3x2);
  Sharding split;
  split.dims.resize(1);
  split.dims[0].axes = {{1, 1, 3}};
  absl::StatusOr<Plan> plan = planBeside(std::vector<AxisRef>{{1, 1, 3}}, {&mesh, split},
                                         {&mesh, Sharding::replicatedOf(1)}, {6}, 1);
  EXPECT_EQ(plan.status().message(), "uses axes that are manual here");
}

TEST(PlanBeside, OneMesh) {
  Mesh mesh = meshOf(mesh2x3x2), other = meshOf(R"(<["u"=3, "v"=4]>)");
  Sharding split;
  split.dims.resize(1);
  split.dims[0].axes = {{1, 1, 4}};
  absl::StatusOr<Plan> plan = planBeside(
      std::vector<AxisRef>{{1, 1, 3}}, {&mesh, Sharding::replicatedOf(1)}, {&other, split}, {8}, 1);
  EXPECT_EQ(plan.status().message(),
            "moves between meshes where axes are manual; use one mesh there");
}

} // namespace
} // namespace spmd::test
