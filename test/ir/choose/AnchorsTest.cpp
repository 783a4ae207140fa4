#include "spmd/ir/choose/Anchors.h"

#include "spmd/ir/sharding/Spec.h"

#include <gtest/gtest.h>

namespace spmd {
namespace {

/// An op on the mesh "x"=2, "y"=4 whose computation lies along "x" in dim 0.
struct Situation {
  Situation() { steady.add(lies(R"([{"x"}, {}])")); }

  MeshSharding lies(const std::string &text) const {
    return {0, *resolve(mesh, *shardingFromText(text))};
  }

  /// Adds a tensor that lies, or should lie, as `sharding`; the op runs on it as `wanted`.
  void operand(const std::string &sharding, const std::string &wanted, bool isAhead = false) {
    add(operands, sharding, isAhead);
    choice.operands.push_back(lies(wanted));
  }
  void result(const std::string &sharding, const std::string &made, bool isLate = false) {
    add(results, sharding, isLate);
    choice.results.push_back(lies(made));
  }
  void add(std::vector<TensorSituation> &tensors, const std::string &sharding, bool isUnhurried) {
    kept.push_back(std::make_unique<MeshSharding>(lies(sharding)));
    tensors.push_back({shape, 32, kept.back().get(), /*isFree=*/false, isUnhurried});
  }

  Anchors anchors() const {
    return Anchors(choice, strategy, strategy.rule, operands, results, steady);
  }
  bool isMet(const std::string &from, const std::string &wanted, size_t i = 0) const {
    return anchors().isMetBy(lies(from), lies(wanted), i);
  }

  Mesh mesh = *meshFromText("<[\"x\"=2, \"y\"=4]>");
  std::vector<int64_t> shape = {64, 64};
  SteadyAxes steady;
  Choice choice;
  Strategy strategy;
  std::vector<TensorSituation> operands, results;
  std::vector<std::unique_ptr<MeshSharding>> kept;
};

// Rows that stay on "x" are what a weight, kept in parts along "x", is gathered for.
TEST(AnchorsTest, AWeightIsGatheredToMeetRowsThatStay) {
  Situation op;
  op.operand(R"([{"x"}, {}])", R"([{"x"}, {}])");
  op.operand(R"([{}, {"x"}])", R"([{}, {}])", /*isAhead=*/true);
  op.result(R"([{"x"}, {}])", R"([{"x"}, {}])");
  EXPECT_TRUE(op.isMet(R"([{}, {"x"}])", R"([{}, {}])"));
  EXPECT_FALSE(op.isMet(R"([{}, {"y"}])", R"([{}, {}])"));    // Nothing that stays lies along "y".
  EXPECT_FALSE(op.isMet(R"([{}, {"x"}])", R"([{"x"}, {}])")); // That is no gather.
}

TEST(AnchorsTest, RowsThatMoveMeetNothing) {
  Situation op;
  op.operand(R"([{"x"}, {}])", R"([{}, {"x"}])");
  op.operand(R"([{}, {"x"}])", R"([{}, {}])", /*isAhead=*/true);
  op.result(R"([{}, {}])", R"([{}, {}])");
  EXPECT_FALSE(op.isMet(R"([{}, {"x"}])", R"([{}, {}])"));
}

// Columns on "x" are not how the program computes.
TEST(AnchorsTest, OnlyTheSteadyDimAnchors) {
  Situation op;
  op.operand(R"([{}, {"x"}])", R"([{}, {"x"}])");
  op.operand(R"([{"x"}, {}])", R"([{}, {}])", /*isAhead=*/true);
  op.result(R"([{}, {}])", R"([{}, {}])");
  EXPECT_FALSE(op.isMet(R"([{"x"}, {}])", R"([{}, {}])"));
}

// A weight that is gathered for a result that stays needs no other operand beside it.
TEST(AnchorsTest, AnOnlyOperandMeetsTheResult) {
  Situation op;
  op.operand(R"([{}, {"x"}])", R"([{}, {}])", /*isAhead=*/true);
  op.result(R"([{"x"}, {}])", R"([{"x"}, {}])");
  EXPECT_TRUE(op.isMet(R"([{}, {"x"}])", R"([{}, {}])"));
  op.operand(R"([{}, {}])", R"([{}, {}])");
  EXPECT_FALSE(op.isMet(R"([{}, {"x"}])", R"([{}, {}])"));
}

// Updates that are combined with rows that stay can be combined where they are.
TEST(AnchorsTest, WhatIsCombinedIsNoWeight) {
  Situation op;
  op.operand(R"([{"x"}, {}])", R"([{"x"}, {}])", /*isAhead=*/true);
  op.operand(R"([{"x"}, {}])", R"([{}, {}])", /*isAhead=*/true);
  op.result(R"([{"x"}, {}])", R"([{"x"}, {}])");
  op.strategy.rule.factors = {{64}, {64}, {64, FactorKind::reduce}};
  op.strategy.rule.operands = {{{0}, {1}}, {{2}, {1}}};
  op.strategy.rule.results = {{{0}, {1}}};
  EXPECT_TRUE(op.isMet(R"([{"x"}, {}])", R"([{}, {}])", 1)); // It only moves elements.
  op.strategy.flops = 1;
  EXPECT_FALSE(op.isMet(R"([{"x"}, {}])", R"([{}, {}])", 1));
  EXPECT_TRUE(op.isMet(R"([{}, {"x"}])", R"([{}, {}])", 1)); // Split along what results have.
  op.strategy.multiplies = true;
  EXPECT_TRUE(op.isMet(R"([{"x"}, {}])", R"([{}, {}])", 1)); // A product reads weights.
}

// A gradient is a sum over the rows that stay, and is kept in parts.
TEST(AnchorsTest, ASumOverRowsThatStayIsScattered) {
  Situation op;
  op.operand(R"([{"x"}, {}])", R"([{"x"}, {}])");
  op.operand(R"([{"x"}, {}])", R"([{"x"}, {}])");
  op.result(R"([{}, {"x"}])", R"([{}, {}], unreduced={"x"})", /*isLate=*/true);
  AxisList overX = {wholeAxis(op.mesh, 0)}, overY = {wholeAxis(op.mesh, 1)};
  EXPECT_TRUE(op.anchors().isScattered(overX, op.lies(R"([{}, {"x"}])").sharding));
  EXPECT_FALSE(op.anchors().isScattered(overX, op.lies(R"([{}, {}])").sharding)); // All keep it.
  EXPECT_FALSE(op.anchors().isScattered(overY, op.lies(R"([{}, {"y"}])").sharding));
  EXPECT_FALSE(op.anchors().isScattered({}, op.lies(R"([{}, {"x"}])").sharding));
}

TEST(AnchorsTest, WhereAnOperandMovesNothingIsScattered) {
  Situation op;
  op.operand(R"([{"x"}, {}])", R"([{"x"}, {}])");
  op.operand(R"([{}, {"x"}])", R"([{"x"}, {}])");
  op.result(R"([{}, {"x"}])", R"([{}, {}], unreduced={"x"})", /*isLate=*/true);
  AxisList overX = {wholeAxis(op.mesh, 0)};
  EXPECT_FALSE(op.anchors().isScattered(overX, op.lies(R"([{}, {"x"}])").sharding));
}

} // namespace
} // namespace spmd
