#include "spmd/ir/choose/Timing.h"

#include "spmd/test/ir/classes/Graphs.h"

namespace spmd {
namespace {

constexpr const char *product = "([i, k], [k, j])->([i, j]) {i=16, j=32, k=64} reduction={k}";

/// A weight in another type, times rows; what comes out goes through one more light op.
struct OneProduct : GraphText {
  OneProduct() {
    weight = value({64, 32});
    cast = value({64, 32});
    rows = value({16, 64});
    made = value({16, 32});
    result = value({16, 32});
    op("([i, j])->([i, j]) {i=64, j=32}", {weight}, cast);
    op(product, {rows, cast}, made);
    op("([i, j])->([i, j]) {i=16, j=32}", {made}, result);
  }

  int32_t weight, cast, rows, made, result;
};

TEST(TimingTest, WhatComesBeforeAProductIsAheadWhatComesBehindItIsLate) {
  OneProduct text;
  Timing timing = timingOf(text.graph, text.noneFree());
  for (int32_t v : {text.weight, text.cast, text.rows}) {
    EXPECT_TRUE(timing.isAhead[v]) << v;
    EXPECT_FALSE(timing.isLate[v]) << v;
  }
  for (int32_t v : {text.made, text.result}) {
    EXPECT_FALSE(timing.isAhead[v]) << v;
    EXPECT_TRUE(timing.isLate[v]) << v;
  }
}

TEST(TimingTest, BetweenTwoProductsNothingIsAheadOrLate) {
  OneProduct text;
  int32_t second = text.value({32, 8}), end = text.value({16, 8});
  text.op("([i, k], [k, j])->([i, j]) {i=16, j=8, k=32} reduction={k}", {text.result, second}, end);
  Timing timing = timingOf(text.graph, text.noneFree());
  for (int32_t v : {text.made, text.result}) {
    EXPECT_FALSE(timing.isAhead[v]) << v;
    EXPECT_FALSE(timing.isLate[v]) << v;
  }
  EXPECT_TRUE(timing.isAhead[second]);
  EXPECT_TRUE(timing.isLate[end]);
}

// A sum of what is ahead and of what is made anew anywhere is ahead; with what is not, it is not.
TEST(TimingTest, FreeValuesHoldNothingUp) {
  OneProduct text;
  int32_t zeros = text.value({64, 32}), sum = text.value({64, 32});
  text.op("([i, j], [i, j])->([i, j]) {i=64, j=32}", {text.cast, zeros}, sum);
  int32_t ones = text.value({16, 32}), other = text.value({16, 32});
  text.op("([i, j], [i, j])->([i, j]) {i=16, j=32}", {ones, text.made}, other);
  std::vector<bool> isFree = text.noneFree();
  isFree[zeros] = isFree[ones] = true;
  Timing timing = timingOf(text.graph, isFree);
  EXPECT_TRUE(timing.isAhead[sum]);
  EXPECT_FALSE(timing.isAhead[other]);
}

// What comes in is ahead, but what the body returns is made by a product: they are one tensor.
TEST(TimingTest, ACarryIsAheadOnlyIfAllThatComesInIs) {
  GraphText text;
  int32_t init = text.value({16, 16}), carry = text.value({16, 16}), made = text.value({16, 16});
  int32_t shifted = text.value({16, 16});
  text.op("([i, j])->([i, j]) {i=16, j=16}", {carry}, shifted);
  text.op("([i, k], [k, j])->([i, j]) {i=16, j=16, k=16} reduction={k}", {shifted, shifted}, made);
  text.graph.addEdge({carry, init, made});
  Timing timing = timingOf(text.graph, text.noneFree());
  for (int32_t v : {init, carry, made, shifted})
    EXPECT_FALSE(timing.isAhead[v]) << v;
}

// Parts of an op that share no factor have nothing to do with each other.
TEST(TimingTest, OperandsOfABarrierGoThroughItAlone) {
  OneProduct text;
  int32_t passedOn = text.value({64, 32}), held = text.value({16, 32});
  text.graph.addOp(*ruleFromText("([i, j], [k, l])->([i, j], [k, l]) {i=64, j=32, k=16, l=32}"),
                   {text.cast, text.made}, {passedOn, held});
  Timing timing = timingOf(text.graph, text.noneFree());
  EXPECT_TRUE(timing.isAhead[passedOn]);
  EXPECT_FALSE(timing.isAhead[held]);
}

TEST(SteadyAxesTest, AnAxisIsSteadyAlongOneDimAlone) {
  Mesh mesh = *meshFromText("<[\"x\"=2, \"y\"=4]>");
  SteadyAxes axes;
  EXPECT_EQ(axes.dimOf(0, wholeAxis(mesh, 0)), -1);
  axes.add({0, *resolve(mesh, *shardingFromText(R"([{"x"}, {"y"}])"))});
  axes.add({0, *resolve(mesh, *shardingFromText(R"([{"x", "y"}, {}])"))});
  EXPECT_EQ(axes.dimOf(0, wholeAxis(mesh, 0)), 0);
  EXPECT_EQ(axes.dimOf(0, wholeAxis(mesh, 1)), -1);
  EXPECT_EQ(axes.dimOf(1, wholeAxis(mesh, 0)), -1); // On another mesh.
}

// Parameters and results say how they are kept, not how the program computes.
TEST(SteadyAxesTest, OnlyPinsInBetweenCount) {
  OneProduct text;
  text.set(text.weight, R"([{"y"}, {}])", ShardingState::pinned);
  text.set(text.made, R"([{"x"}, {}])", ShardingState::pinned);
  Timing late = timingOf(text.graph, text.noneFree());
  EXPECT_EQ(steadyAxesOf(text.graph, late).dimOf(0, wholeAxis(text.mesh, 0)), -1);
  int32_t second = text.value({32, 8}), end = text.value({16, 8});
  text.op("([i, k], [k, j])->([i, j]) {i=16, j=8, k=32} reduction={k}", {text.result, second}, end);
  SteadyAxes axes = steadyAxesOf(text.graph, timingOf(text.graph, text.noneFree()));
  EXPECT_EQ(axes.dimOf(0, wholeAxis(text.mesh, 0)), 0);
  EXPECT_EQ(axes.dimOf(0, wholeAxis(text.mesh, 1)), -1);
}

// Rows come first, weights later: the axis is that of the rows. Pins in between count more.
TEST(SteadyAxesTest, PrioritiesOfWhatIsKeptTellRowsFromWeights) {
  Mesh mesh = *meshFromText("<[\"x\"=2, \"y\"=4]>");
  auto pin = [&](const char *text) {
    return MeshSharding{0, *resolve(mesh, *shardingFromText(text))};
  };
  SteadyAxes axes;
  axes.addKept(pin(R"([{}, {"x"}p1])"));
  EXPECT_EQ(axes.dimOf(0, wholeAxis(mesh, 0)), -1); // Nothing is said to come before it.
  axes.addKept(pin(R"([{"x"}p0, {}])"));
  axes.addKept(pin(R"([{"x"}p1, {}])"));
  EXPECT_EQ(axes.dimOf(0, wholeAxis(mesh, 0)), 0);
  EXPECT_EQ(axes.dimOf(1, wholeAxis(mesh, 0)), -1); // On another mesh.
  axes.addKept(pin(R"([{}, {"x"}])"));
  EXPECT_EQ(axes.dimOf(0, wholeAxis(mesh, 0)), -1); // Two come first.
  axes.add(pin(R"([{}, {"x"}])"));
  EXPECT_EQ(axes.dimOf(0, wholeAxis(mesh, 0)), 1);
}

TEST(SteadyAxesTest, PrioritiesOfArgumentsCountWhereNothingInBetweenIsPinned) {
  OneProduct text;
  text.set(text.rows, R"([{"x"}p0, {}])", ShardingState::pinned);
  text.set(text.weight, R"([{}, {"x"}p1])", ShardingState::pinned);
  SteadyAxes axes = steadyAxesOf(text.graph, timingOf(text.graph, text.noneFree()));
  EXPECT_EQ(axes.dimOf(0, wholeAxis(text.mesh, 0)), 0);
  text.set(text.weight, R"([{}, {"x"}])", ShardingState::pinned);
  axes = steadyAxesOf(text.graph, timingOf(text.graph, text.noneFree()));
  EXPECT_EQ(axes.dimOf(0, wholeAxis(text.mesh, 0)), -1);
}

} // namespace
} // namespace spmd
