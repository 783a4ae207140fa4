#include "spmd/ir/rules/Split.h"

#include "spmd/ir/sharding/Spec.h"

#include <gtest/gtest.h>

namespace spmd {
namespace {

class SplitTest : public testing::Test {
protected:
  /// Returns the axes of each factor, with semicolons between; "none" if there is no split.
  std::string split(const Strategy &strategy, const std::vector<std::string> &texts) {
    std::vector<Sharding> shardings;
    for (const std::string &text : texts)
      shardings.push_back(*resolve(mesh, *shardingFromText(text)));
    std::vector<const Sharding *> tensors;
    for (const Sharding &sharding : shardings)
      tensors.push_back(&sharding);
    std::optional<FactorAxes> axes = splitOf(strategy, tensors);
    if (!axes)
      return "none";
    std::string result;
    for (const AxisList &list : *axes) {
      for (const AxisRef &ref : list)
        result += mesh.axes()[ref.axis].name;
      result += ";";
    }
    return result;
  }

  static Strategy strategyOf(const char *rule, std::vector<Commuting> commuting) {
    return {*ruleFromText(rule), {}, std::move(commuting)};
  }

  Mesh mesh = *meshFromText("<[\"x\"=2, \"y\"=4]>");
  Commuting joint = Commuting().pass(ReductionKind::sum, Passing::jointly);
  Strategy add = strategyOf("([i, j], [i, j])->([i, j]) {i=8, j=8}", {joint, joint});
  Strategy scale = strategyOf("([i, j], [i, j])->([i, j]) {i=8, j=8}",
                              {Commuting::linear(), Commuting::linear()});
  Strategy dot = strategyOf("([i, j], [j, k])->([i, k]) {i=8, j=8, k=8} reduction={j}",
                            {Commuting::linear(), Commuting::linear()});
};

constexpr char whole[] = "[{}, {}]";
constexpr char partial[] = R"([{}, {}], unreduced={"x"})";

TEST_F(SplitTest, AReducedFactorLeavesAPartialResult) {
  EXPECT_EQ(split(dot, {R"([{}, {"x"}])", R"([{"x"}, {}])", partial}), ";x;;");
  EXPECT_EQ(split(dot, {R"([{}, {"x"}])", R"([{"x"}, {}])", whole}), "none");
  EXPECT_EQ(split(dot, {R"([{}, {"x"}])", whole, partial}), "none");
}

TEST_F(SplitTest, JointlyMeansAll) {
  EXPECT_EQ(split(add, {partial, partial, partial}), ";;");
  EXPECT_EQ(split(add, {partial, whole, partial}), "none");
  EXPECT_EQ(split(add, {partial, partial, whole}), "none");
  EXPECT_EQ(split(add, {partial, R"([{}, {}], unreduced={"y"})", partial}), "none");
  EXPECT_EQ(split(add, {R"([{"y"}, {}], unreduced={"x"})", R"([{"y"}, {}], unreduced={"x"})",
                        R"([{"y"}, {}], unreduced={"x"})"}),
            "y;;");
}

TEST_F(SplitTest, AloneMeansOne) {
  EXPECT_EQ(split(scale, {partial, whole, partial}), ";;");
  EXPECT_EQ(split(scale, {partial, partial, partial}), "none");
}

TEST_F(SplitTest, KindsThatDoNotPassAreReducedFirst) {
  const char most[] = R"([{}, {}], unreduced=max{"x"})";
  EXPECT_EQ(split(add, {most, most, most}), "none");
  EXPECT_EQ(split(strategyOf("([i])->([i]) {i=8}", {}),
                  {R"([{}], unreduced={"x"})", R"([{}], unreduced={"x"})"}),
            "none");
}

TEST_F(SplitTest, WhatPassesAndWhatIsReducedAddUp) {
  EXPECT_EQ(split(dot, {R"([{}, {"y"}], unreduced={"x"})", R"([{"y"}, {}])",
                        R"([{}, {}], unreduced={"x", "y"})"}),
            ";y;;");
}

// Devices that hold shares of one value must agree on everything else.
TEST_F(SplitTest, APartialOperandMeetsNothingSplitOnItsAxes) {
  FactorAxes axes(3);
  axes[1] = {wholeAxis(mesh, 0)};
  EXPECT_FALSE(partialResult(dot.rule, axes, {{wholeAxis(mesh, 0)}}));
  EXPECT_TRUE(partialResult(dot.rule, axes, {{wholeAxis(mesh, 1)}}));
}

TEST_F(SplitTest, AMaximumBecomesAMinimumUnderNegation) {
  Commuting negation = Commuting().pass(ReductionKind::max, Passing::alone, ReductionKind::min);
  Strategy negate = strategyOf("([i])->([i]) {i=8}", {negation});
  Sharding operand = *resolve(mesh, *shardingFromText(R"([{}], unreduced=max{"x"})"));
  const Sharding *operands[] = {&operand};
  std::optional<PartialState> left = passedOn(negate, operands);
  ASSERT_TRUE(left);
  EXPECT_EQ(left->kind, ReductionKind::min);
}

} // namespace
} // namespace spmd
