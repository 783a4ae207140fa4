#include "spmd/ir/rules/AllSplits.h"

#include "spmd/ir/sharding/Spec.h"

#include <gtest/gtest.h>

namespace spmd {
namespace {

/// Returns the splits as text: the axes of each factor, with commas between.
std::vector<std::string> splitsOf(const Strategy &strategy, const char *meshText) {
  Mesh mesh = *meshFromText(meshText);
  std::vector<std::string> texts;
  for (const FactorAxes &split : allSplits(strategy, mesh)) {
    std::string &text = texts.emplace_back();
    for (size_t f = 0; f < split.size(); ++f) {
      text += f == 0 ? "" : ",";
      for (const AxisRef &axis : split[f])
        text += mesh.axes()[axis.axis].name;
    }
  }
  return texts;
}

Strategy strategyOf(const char *rule) { return {*ruleFromText(rule)}; }

using Texts = std::vector<std::string>;

TEST(AllSplits, EachFactorTakesTheAxis) {
  EXPECT_EQ(splitsOf(strategyOf("([i, k], [k, j])->([i, j]) {i=2, j=3, k=5} reduction={k}"),
                     R"(<["x"=2]>)"),
            (Texts{",,", "x,,", ",x,", ",,x"}));
}

TEST(AllSplits, TwoAxesInBothOrders) {
  EXPECT_EQ(splitsOf(strategyOf("([i])->([i]) {i=8}"), R"(<["x"=2, "y"=2]>)"),
            (Texts{"", "y", "x", "yx", "xy"}));
}

TEST(AllSplits, WhatSharesADimMustDivide) {
  EXPECT_EQ(splitsOf(strategyOf("([ij])->([i, j]) {i=3, j=4}"), R"(<["x"=2]>)"), (Texts{","}));
  EXPECT_EQ(splitsOf(strategyOf("([ij])->([i, j]) {i=4, j=3}"), R"(<["x"=2]>)"),
            (Texts{",", "x,"}));
}

TEST(AllSplits, WhatMustNotSplitStaysWhole) {
  EXPECT_EQ(
      splitsOf(strategyOf("([i, j])->([i, j]) {i=3, j=4} need_replication={j}"), R"(<["x"=2]>)"),
      (Texts{",", "x,"}));
  EXPECT_EQ(splitsOf(strategyOf("([i])->([i]) {i=0}"), R"(<["x"=2]>)"), (Texts{""}));
}

TEST(AllSplits, PartialResultsAreOfOneKind) {
  Strategy strategy = strategyOf("([i, j])->([]) {i=3, j=4} reduction={i, j}");
  EXPECT_EQ(splitsOf(strategy, R"(<["x"=2, "y"=2]>)").size(), 11u);
  strategy.rule.factors[1].reduction = ReductionKind::max;
  EXPECT_EQ(splitsOf(strategy, R"(<["x"=2, "y"=2]>)").size(), 9u);
}

} // namespace
} // namespace spmd
