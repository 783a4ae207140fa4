#include "spmd/ir/planner/LayoutTable.h"

#include "spmd/ir/planner/Options.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

using namespace spmd;

namespace {

class LayoutTableTest : public testing::Test {
protected:
  Mesh mesh = *Mesh::create({{"x", 2}, {"y", 4}, {"z", 2}});
  CostModel model;
  ReshardCosts costs{[this](int32_t) -> const Mesh & { return mesh; }, model};
  LayoutTable table{0, costs};

  /// Returns all layouts of a tensor of this shape, shares of sums among them.
  std::vector<int32_t> layoutsOf(int32_t kind) {
    int32_t whole = table.intern(Sharding::replicatedOf(table.shapeOf(kind).size()));
    HandedOn value{kind, whole, 1, /*mayShare=*/true, std::numeric_limits<double>::infinity()};
    return anyLayout(value, {0, 1, 2}, table).sides[0].layouts;
  }

  double planned(int32_t kind, int32_t from, int32_t to) {
    return *estimateCost({&mesh, table[from]}, {&mesh, table[to]}, table.shapeOf(kind),
                         table.elementBitsOf(kind) / 8, model) *
           model.bandwidth;
  }
};

TEST_F(LayoutTableTest, CountsAGatherByItsResult) {
  int32_t kind = table.kindOf({64, 32}, 32);
  Sharding rows = Sharding::replicatedOf(2), whole = rows;
  rows.dims[0].axes = {wholeAxis(mesh, 1)};
  // Three of four blocks of 2 KiB come from others, by one collective.
  EXPECT_DOUBLE_EQ(table.moveCost(kind, table.intern(rows), table.intern(whole)), 6144 + 8);
  EXPECT_DOUBLE_EQ(table.moveCost(kind, table.intern(whole), table.intern(rows)), 0);
}

TEST_F(LayoutTableTest, NumbersKindsByShapeAndElements) {
  EXPECT_EQ(table.kindOf({4, 4}, 32), table.kindOf({4, 4}, 32));
  EXPECT_NE(table.kindOf({4, 4}, 32), table.kindOf({4, 4}, 16));
  EXPECT_DOUBLE_EQ(table.bytesOf(table.kindOf({4, 4}, 16)), 32);
  EXPECT_DOUBLE_EQ(table.bytesOf(table.kindOf({}, 1)), 0.125);
}

TEST_F(LayoutTableTest, PricesMovesAsTheyArePlanned) {
  // Dims that all axes divide several times, so that no block has a fraction of an element.
  int32_t kind = table.kindOf({256, 64}, 32);
  int compared = 0;
  for (int32_t from : layoutsOf(kind))
    for (int32_t to : layoutsOf(kind)) {
      double bound = table.leastMoveCost(kind, from, to);
      double cost = table.moveCost(kind, from, to);
      ASSERT_LE(bound, cost) << from << " to " << to;
      if (cost >= LayoutTable::impossible)
        continue;
      double expected = planned(kind, from, to);
      ASSERT_NEAR(cost, expected, 1e-5 * expected + 1e-6) << from << " to " << to;
      ++compared;
    }
  EXPECT_GT(compared, 1000);
}

TEST_F(LayoutTableTest, EstimatesMovesThatKeepTheOrderOfAxes) {
  int32_t kind = table.kindOf({256, 64}, 32);
  Sharding rows = Sharding::replicatedOf(2), both = rows, swapped = rows;
  rows.dims[0].axes = {wholeAxis(mesh, 0)};
  both.dims[0].axes = {wholeAxis(mesh, 0), wholeAxis(mesh, 1)};
  swapped.dims[0].axes = {wholeAxis(mesh, 1), wholeAxis(mesh, 0)};
  std::vector<int32_t> to = {table.intern(rows), table.intern(both), table.intern(swapped)};
  ASSERT_TRUE(table.areRegular(kind, to));
  float costs[3];
  table.roughMoveCosts(kind, to[1], to, costs);
  EXPECT_FLOAT_EQ(costs[0], static_cast<float>(planned(kind, to[1], to[0])));
  EXPECT_EQ(costs[1], 0);
  EXPECT_GT(costs[2], 0);
}

TEST_F(LayoutTableTest, PricesMovesOfManyDimsOnLargeMeshes) {
  mesh = *Mesh::create({{"x", 32}, {"y", 64}, {"z", 32}});
  LayoutTable large(0, costs);
  int32_t kind = large.kindOf({1024, 64, 64, 64, 1024, 1024}, 16);
  Sharding before = Sharding::replicatedOf(6), after = before;
  for (int a = 0; a < 3; ++a) {
    before.dims[a].axes = {wholeAxis(mesh, a)};
    after.dims[5 - a].axes = {wholeAxis(mesh, a)};
  }
  double cost = large.moveCost(kind, large.intern(before), large.intern(after));
  EXPECT_GT(cost, 0);
  EXPECT_LT(cost, large.bytesOf(kind) / mesh.numDevices() * 3);
}

TEST_F(LayoutTableTest, PricesUnevenShardsByTheirPlan) {
  int32_t kind = table.kindOf({6, 5}, 32);
  Sharding rows = Sharding::replicatedOf(2), columns = rows;
  rows.dims[0].axes = {wholeAxis(mesh, 1)};
  columns.dims[1].axes = {wholeAxis(mesh, 0)};
  int32_t from = table.intern(rows), to = table.intern(columns);
  EXPECT_DOUBLE_EQ(table.moveCost(kind, from, to), planned(kind, from, to));
}

TEST_F(LayoutTableTest, TurnsWholeTensorsIntoSharesAtNoCost) {
  int32_t kind = table.kindOf({64, 64}, 32);
  Sharding whole = Sharding::replicatedOf(2), shares = whole, maxima = whole;
  shares.unreduced = maxima.unreduced = {wholeAxis(mesh, 0)};
  maxima.kind = ReductionKind::max;
  EXPECT_EQ(table.moveCost(kind, table.intern(whole), table.intern(shares)), 0);
  // Shares of a sum never become shares of a maximum.
  EXPECT_GE(table.moveCost(kind, table.intern(shares), table.intern(maxima)),
            LayoutTable::impossible);
}

} // namespace
