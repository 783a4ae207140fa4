#include "spmd/ir/explain/Stops.h"
#include "spmd/test/ir/explain/Told.h"

namespace spmd {
namespace {

constexpr size_t most = 3;

StopSearch search(const ToldGraph &told, ValueDim place) {
  Past past(told.graph, told.history);
  return findStops(past, place, most);
}

TEST(Stops, AClosedDimIsItsOwnAnswer) {
  ToldLayers told;
  told.run();
  StopSearch found = search(told, {told.rows, 1});
  EXPECT_TRUE(found.isClosed);
  EXPECT_TRUE(found.stops.empty());
}

/// Nothing is split along what the last product's columns are tied to.
TEST(Stops, NothingMayBeTied) {
  ToldLayers told;
  told.run();
  StopSearch found = search(told, {told.result, 1});
  EXPECT_FALSE(found.isClosed);
  EXPECT_TRUE(found.stops.empty());
  EXPECT_TRUE(found.closed.empty());
  EXPECT_EQ(found.reached, (std::vector<int32_t>{told.result, told.second}));
}

/// The axis splits another dim of the value.
TEST(Stops, AnAxisInUseDoesNotComeThrough) {
  ToldGraph told;
  int32_t small = told.value({8, 16}, R"([{"x"}, {}])");
  int32_t large = told.value({16, 64}, R"([{}, {"x"}])");
  int32_t result = told.value({8, 64});
  int32_t op =
      told.op("([i, k], [k, j])->([i, j]) {i=8, j=64, k=16} reduction={k}", {small, large}, result);
  EXPECT_TRUE(told.step(op));
  StopSearch found = search(told, {result, 0});
  ASSERT_EQ(found.stops.size(), 1u);
  const DimStop &stop = found.stops.front();
  EXPECT_EQ(stop.from, (ValueDim{small, 0}));
  EXPECT_EQ(stop.to, (ValueDim{result, 0}));
  EXPECT_EQ(stop.op, op);
  EXPECT_EQ(stop.obstacle, StepObstacle::used);
  EXPECT_EQ(stop.otherDim, 1);
  EXPECT_EQ(stop.fromBytes, 8 * 16 * 4);
  EXPECT_EQ(stop.toBytes, 8 * 64 * 4);
}

/// A closed dim on the way, without axes, is what the program wants.
TEST(Stops, AClosedDimOnTheWayIsNamed) {
  ToldGraph told;
  int32_t whole = told.value({8, 16}, "[{}, {}]"), same = told.value({8, 16});
  told.op("([i, j])->([i, j]) {i=8, j=16}", {whole}, same);
  StopSearch found = search(told, {same, 1});
  EXPECT_TRUE(found.stops.empty());
  EXPECT_EQ(found.closed, (std::vector<ValueDim>{{whole, 1}}));
}

/// Nothing passes along a blocked factor.
TEST(Stops, ABarrierIsNamed) {
  ToldGraph told;
  int32_t open = told.value({8, 16}, "[{?}, {?}]"), same = told.value({8, 16});
  int32_t op = told.op("([i, j])->([i, j]) {i=8, j=16} blocked_propagation={j}", {open}, same);
  EXPECT_EQ(search(told, {same, 1}).barriers, (std::vector<int32_t>{op}));
  EXPECT_TRUE(search(told, {same, 0}).barriers.empty());
}

/// No more than are asked for.
TEST(Stops, TheNearestComeFirst) {
  ToldGraph told;
  int32_t middle = told.value({8, 64}, R"([{}, {"x", ?}])");
  for (int i = 0; i < 5; ++i)
    told.op("([i, j])->([i, j]) {i=8, j=64}", {told.value({8, 64}, R"([{"x"}, {}])")}, middle);
  told.graph.value(middle).sharding = ShardGraph::none;
  told.note(middle, told.spec(R"([{?}, {"x", ?}])"), Change::Cause::hint);
  StopSearch found = search(told, {middle, 0});
  EXPECT_EQ(found.stops.size(), most);
  for (size_t i = 0; i < found.stops.size(); ++i)
    EXPECT_EQ(found.stops[i].op, static_cast<int32_t>(i));
}

} // namespace
} // namespace spmd
