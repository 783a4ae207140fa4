#include "spmd/ir/rules/SizedRule.h"

#include "gtest/gtest.h"

namespace spmd {
namespace {

using Shapes = std::vector<std::vector<int64_t>>;

std::string sized(std::string_view text, const Shapes &operands, const Shapes &results) {
  absl::StatusOr<OpRule> rule = sizedRule(text, operands, results);
  return rule.ok() ? rule->str() : std::string(rule.status().message());
}

TEST(SizedRuleTest, FactorsGetTheSizesOfTheirDims) {
  EXPECT_EQ(sized("([i, j], [j, k])->([i, k]) reduction={j}", {{4, 8}, {8, 2}}, {{4, 2}}),
            "([i, j], [j, k])->([i, k]) {i=4, j=8, k=2} reduction={j}");
  EXPECT_EQ(sized("([])->([])", {{}}, {{}}), "([])->([])");
}

TEST(SizedRuleTest, AFactorGetsWhatTheOthersOfItsDimLeave) {
  EXPECT_EQ(sized("([ij, k])->([i, jk])", {{12, 5}}, {{3, 20}}),
            "([ij, k])->([i, jk]) {i=3, j=4, k=5}");
}

TEST(SizedRuleTest, SizesThatAreWrittenCount) {
  EXPECT_EQ(sized("([ij])->([ij]) {i=3, j=4}", {{12}}, {{12}}), "([ij])->([ij]) {i=3, j=4}");
  EXPECT_NE(sized("([i])->([i]) {i=3}", {{12}}, {{12}}).find("12"), std::string::npos);
}

TEST(SizedRuleTest, WhatStaysOpenIsNamed) {
  EXPECT_EQ(
      sized("([ij])->([ij])", {{12}}, {{12}}),
      "the size of factor i does not follow from the shapes; write {i=..} behind the results");
}

TEST(SizedRuleTest, LettersLeftOutAreNamed) {
  EXPECT_EQ(sized("([l, m])->([l])", {{3, 4}}, {{3}}),
            "factor i is in no tensor, and m is; name factors from i on, leaving out no letter");
  // A tensor too few is another matter.
  EXPECT_EQ(
      sized("([i], [j])->([i])", {{3}}, {{3}}),
      "the size of factor j does not follow from the shapes; write {j=..} behind the results");
}

TEST(SizedRuleTest, RanksAndNumbersOfTensorsMustFit) {
  EXPECT_FALSE(sizedRule("([i])->([i])", Shapes{{2, 3}}, Shapes{{2}}).ok());
  EXPECT_FALSE(sizedRule("([i])->([i])", Shapes{{2}, {2}}, Shapes{{2}}).ok());
  EXPECT_FALSE(sizedRule("([i, j])->([i, j])", Shapes{{0, 3}}, Shapes{{4, 3}}).ok());
}

TEST(SizedRuleTest, TextIsCheckedWithoutShapes) {
  EXPECT_TRUE(checkRuleText("([i, j])->([j, i])").ok());
  EXPECT_EQ(std::string(checkRuleText("([i)->([i])").message()), "1:4: expected ']'");
  EXPECT_EQ(std::string(checkRuleText("([i])->([i]) reduction={j}").message()),
            "1:26: factor j has no size");
}

} // namespace
} // namespace spmd
