// Every pair of shardings of small cases, with what it may cost.
//
// The limits are measured values: a change that makes plans worse fails here. The comments say why
// the worst pairs are as they are; SPMD_SHOW_WORST=1 prints them.
#include "AllPairs.h"

#include "gtest/gtest.h"

namespace spmd::test {
namespace {

/// What a family may cost: bytes sent against the bound for the worst pair and for all pairs
/// together, the largest block on the way against the larger side, and whether bytes may be sent
/// where none need be.
struct Limits {
  double worst;
  double all;
  double memory = 1;
  int64_t needless = 0;
};

void expectWithin(const Summary &summary, const Limits &limits) {
  EXPECT_LE(summary.worst, limits.worst + 0.01);
  EXPECT_LE(summary.sent, summary.bound * (limits.all + 0.01));
  EXPECT_LE(summary.memory, limits.memory + 0.01);
  EXPECT_LE(summary.needless, limits.needless);
}

const char *const mesh2x4 = R"(<["x"=2, "y"=4]>)";
const char *const mesh2x3 = R"(<["x"=2, "y"=3]>)";
const char *const mesh2x2x2 = R"(<["x"=2, "y"=2, "z"=2]>)";

/// "x", and "y" in two parts.
const std::vector<AxisRef> parts2x4{{0, 1, 2}, {1, 1, 2}, {1, 2, 2}};

// Even dims. The worst pairs take an all-to-all and a permute, where each device could have sent
// its pieces straight to where they go.

TEST(ReshardEven, Rank2On2x4) {
  Mesh mesh = meshOf(mesh2x4);
  std::vector<Sharding> all = allShardings(2, parts2x4);
  expectWithin(checkAll("rank 2 on 2x4", mesh, all, mesh, all, {{8, 16}}), {1.43, 1.06});
}

TEST(ReshardEven, Rank3On2x2x2) {
  Mesh mesh = meshOf(mesh2x2x2);
  std::vector<Sharding> all = allShardings(3, wholeAxes(mesh));
  expectWithin(checkAll("rank 3 on 2x2x2", mesh, all, mesh, all, {{8, 8, 16}}), {1.43, 1.08});
}

TEST(ReshardEven, Rank2On4x4) {
  Mesh mesh = meshOf(R"(<["x"=4, "y"=4]>)");
  std::vector<Sharding> all = allShardings(2, {{0, 1, 2}, {0, 2, 2}, {1, 1, 4}});
  expectWithin(checkAll("rank 2 on 4x4", mesh, all, mesh, all, {{16, 16}}), {1.6, 1.06});
}

TEST(ReshardEven, SubAxesOf4) {
  Mesh mesh = meshOf(R"(<["x"=4]>)");
  std::vector<Sharding> all = allShardings(2, {{0, 1, 2}, {0, 2, 2}}, true);
  expectWithin(checkAll("rank 2 on 4, cut 2x2", mesh, all, mesh, all, {{8, 16}}), {2.0, 1.15});
}

// Dims cut by 2 here and by 3 there. In the worst pairs devices happen to hold most of what they
// need, and whole blocks travel all the same.

TEST(ReshardMisaligned, Rank2On2x3) {
  Mesh mesh = meshOf(mesh2x3);
  std::vector<Sharding> all = allShardings(2, wholeAxes(mesh));
  expectWithin(checkAll("rank 2 on 2x3", mesh, all, mesh, all, {{6, 12}}), {3.0, 1.12});
}

TEST(ReshardMisaligned, OneAxisCutTwoWays) {
  Mesh mesh = meshOf(R"(<["x"=6, "y"=2]>)");
  std::vector<Sharding> all = allShardings(2, {{0, 1, 2}, {0, 2, 3}, {1, 1, 2}});
  for (const Sharding &sharding : allShardings(2, {{0, 1, 3}, {0, 3, 2}}))
    all.push_back(sharding);
  expectWithin(checkAll("rank 2 on 6x2, cut two ways", mesh, all, mesh, all, {{12, 24}}),
               {7.5, 1.18});
}

// Dims that do not divide. Padding travels too, so the ratio grows as blocks shrink to a row. In
// the worst pairs a row moves to all replicas of a block before the block is cut among them, and
// tensors with fewer rows than devices pay for as many rows as there are shards. Blocks change size
// in a buffer with margins of the rows that move.

TEST(ReshardUneven, Rank2On2x4) {
  Mesh mesh = meshOf(mesh2x4);
  std::vector<Sharding> all = allShardings(2, parts2x4);
  expectWithin(checkAll("29x50 on 2x4", mesh, all, mesh, all, {{29, 50}}), {4.0, 1.2, 1.46});
  expectWithin(checkAll("5x7 on 2x4", mesh, all, mesh, all, {{5, 7}}), {4.3, 1.75, 1.9});
  expectWithin(checkAll("1x3 on 2x4", mesh, all, mesh, all, {{1, 3}}), {44, 7.3, 8, 144});
}

TEST(ReshardUneven, Rank2On2x3) {
  Mesh mesh = meshOf(mesh2x3);
  std::vector<Sharding> all = allShardings(2, wholeAxes(mesh));
  expectWithin(checkAll("29x50 on 2x3", mesh, all, mesh, all, {{29, 50}}), {3.8, 1.21, 1.3});
  expectWithin(checkAll("5x7 on 2x3", mesh, all, mesh, all, {{5, 7}}), {9, 1.88, 2.8});
  expectWithin(checkAll("1x3 on 2x3", mesh, all, mesh, all, {{1, 3}}), {41, 9, 6, 8});
}

TEST(ReshardUneven, AllSizesOn3x4) {
  Mesh mesh = meshOf(R"(<["x"=3, "y"=4]>)");
  std::vector<Sharding> all = allShardings(1, {{0, 1, 3}, {1, 1, 2}, {1, 2, 2}}, true);
  std::vector<std::vector<int64_t>> sizes;
  for (int64_t size = 1; size < 40; ++size)
    sizes.push_back({size});
  Summary summary = checkAll("1 to 39 on 3x4", mesh, all, mesh, all, sizes);
  EXPECT_LE(summary.sent, summary.bound * 2);
}

TEST(ReshardUneven, NoRows) {
  Mesh mesh = meshOf(mesh2x2x2);
  std::vector<Sharding> all;
  for (const Sharding &sharding : allShardings(2, wholeAxes(mesh), true))
    if (sharding.dims[0].axes.empty())
      all.push_back(sharding);
  expectWithin(checkAll("0x8 on 2x2x2", mesh, all, mesh, all, {{0, 8}, {0, 5}}), {0, 0});
}

// Partial values. In the worst pairs a replicated value becomes partial and is gathered: all
// replicas gather, where one would do.

TEST(ReshardPartial, SumOn2x4) {
  Mesh mesh = meshOf(mesh2x4);
  std::vector<Sharding> all = allShardings(2, parts2x4, true);
  expectWithin(checkAll("partial on 2x4", mesh, all, mesh, all, {{8, 16}}), {4.0, 1.17});
  expectWithin(checkAll("partial 5x7 on 2x4", mesh, all, mesh, all, {{5, 7}}),
               {6.3, 1.75, 1.9, 12});
}

TEST(ReshardPartial, SumOn2x3) {
  Mesh mesh = meshOf(mesh2x3);
  std::vector<Sharding> all = allShardings(2, wholeAxes(mesh), true);
  expectWithin(checkAll("partial on 2x3", mesh, all, mesh, all, {{6, 12}}), {3.0, 1.16, 1, 8});
}

TEST(ReshardPartial, OtherKinds) {
  Mesh mesh = meshOf(mesh2x2x2);
  std::vector<Sharding> sums = allShardings(1, wholeAxes(mesh), true);
  for (ReductionKind kind : allReductionKinds) {
    std::string name = nameOf(kind);
    std::vector<Sharding> all = allShardings(1, wholeAxes(mesh), true, kind);
    expectWithin(checkAll("partial " + name, mesh, all, mesh, all, {{16}}), {4, 1.25});
    checkAll("partial " + name + ", uneven", mesh, all, mesh, all, {{5}});
    checkAll(name + " to sum", mesh, all, mesh, sums, {{16}, {5}});
  }
}

TEST(ReshardPartial, Scalar) {
  Mesh mesh = meshOf(mesh2x2x2);
  std::vector<Sharding> all = allShardings(0, wholeAxes(mesh), true);
  expectWithin(checkAll("scalar", mesh, all, mesh, all, {{}}), {4, 2});
}

// Other meshes over the same devices. Where they have common axes they cost no more than one mesh
// does; where they have none, blocks travel whole once more, and shares are reduced first.

TEST(ReshardMeshes, CommonAxes) {
  std::vector<Mesh> meshes;
  for (const char *text : {mesh2x4, R"(<["a"=4, "b"=2]>)", R"(<["a"=8]>)", mesh2x2x2,
                           R"(<["a"=4, "b"=2], device_ids=[0, 4, 1, 5, 2, 6, 3, 7]>)"})
    meshes.push_back(meshOf(text));
  for (const Mesh &from : meshes)
    for (const Mesh &to : meshes) {
      std::vector<Sharding> here = allShardings(2, wholeAxes(from));
      std::vector<Sharding> there = allShardings(2, wholeAxes(to));
      std::string name = from.str() + " " + to.str();
      expectWithin(checkAll(name, from, here, to, there, {{8, 16}}), {1.61, 1.09});
      checkAll(name + " uneven", from, here, to, there, {{5, 7}});
    }
}

TEST(ReshardMeshes, OtherDeviceOrders) {
  Mesh plain = meshOf(mesh2x4);
  Mesh reversed = meshOf(R"(<["x"=2, "y"=4], device_ids=[7, 6, 5, 4, 3, 2, 1, 0]>)");
  Mesh mixed = meshOf(R"(<["x"=2, "y"=4], device_ids=[3, 1, 4, 0, 5, 2, 6, 7]>)");
  for (bool partial : {false, true})
    for (auto [from, to] :
         {std::pair(&plain, &reversed), std::pair(&reversed, &plain), std::pair(&plain, &mixed),
          std::pair(&mixed, &plain), std::pair(&reversed, &mixed)}) {
      std::vector<Sharding> all = allShardings(2, wholeAxes(plain), partial);
      std::string name = from->str() + " " + to->str();
      Summary even = checkAll(name, *from, all, *to, all, {{8, 16}});
      EXPECT_LE(even.sent, even.bound * 1.75);
      EXPECT_LE(even.memory, 1.0);
      checkAll(name + " uneven", *from, all, *to, all, {{5, 7}});
    }
}

TEST(ReshardMeshes, NoCommonAxes) {
  Mesh a = meshOf(mesh2x3), b = meshOf(R"(<["x"=3, "y"=2]>)");
  std::vector<Sharding> here = allShardings(2, wholeAxes(a), true);
  std::vector<Sharding> there = allShardings(2, wholeAxes(b), true);
  Summary even = checkAll("2x3 to 3x2", a, here, b, there, {{6, 12}});
  EXPECT_LE(even.sent, even.bound * 1.75);
  EXPECT_LE(even.memory, 1.0);
  checkAll("2x3 to 3x2, uneven", a, here, b, there, {{5, 7}});
}

// Laws.

TEST(ReshardLaws, NoStepsWhereNothingChanges) {
  Mesh mesh = meshOf(mesh2x4);
  for (const Sharding &sharding : allShardings(2, parts2x4, true))
    for (std::vector<int64_t> shape : {std::vector<int64_t>{8, 16}, {5, 7}}) {
      absl::StatusOr<Plan> plan = planReshard({&mesh, sharding}, {&mesh, sharding}, shape, 4);
      ASSERT_TRUE(plan.ok()) << plan.status();
      EXPECT_TRUE(plan->empty()) << textOf({&mesh, sharding}) << "\n" << plan->str();
    }
}

TEST(ReshardLaws, ThereAndBackIsTheSame) {
  Mesh mesh = meshOf(mesh2x4);
  std::vector<Sharding> all = allShardings(2, parts2x4);
  std::vector<int64_t> shape{5, 16};
  int64_t sent = 0;
  for (const Sharding &a : all)
    for (const Sharding &b : all) {
      Layout here{&mesh, a}, there{&mesh, b};
      Plan out = *planReshard(here, there, shape, 4), back = *planReshard(there, here, shape, 4);
      std::vector<Block> blocks = execute(back, execute(out, blocksOf(here, shape), sent), sent);
      EXPECT_EQ(compare(here, here, shape, blocks), "") << textOf(here) << " " << textOf(there);
    }
}

} // namespace
} // namespace spmd::test
