#include "spmd/ir/rules/OpRule.h"

#include "gtest/gtest.h"

namespace spmd {
namespace {

OpRule ruleOf(std::string_view text) { return ruleFromText(text).value(); }

TEST(OpRule, TextRoundTrips) {
  for (const char *text : {
           "()->()",
           "([])->([], [])",
           "([i, k], [k, j])->([i, j]) {i=8, j=6, k=4} reduction={k}",
           "([ij, k])->([i, jk]) {i=2, j=4, k=4}",
           "([*, i])->([*]) {i=2}, custom",
           "([i, j, k, l])->([i, k, l]) {i=2, j=3, k=5, l=7} reduction={j} need_replication={i, l} "
           "permutation={k} blocked_propagation={l}, custom",
           "([i])->([i]) {i=0} blocked_propagation={i}",
       })
    EXPECT_EQ(ruleOf(text).str(), text);
}

TEST(OpRule, BracesWithoutFactorsAreRead) {
  EXPECT_EQ(ruleOf("([])->([]) {}").str(), "([])->([])");
}

TEST(OpRule, FactorsHaveNamesWithoutEnd) {
  EXPECT_EQ(factorName(0), "i");
  EXPECT_EQ(factorName(17), "z");
  EXPECT_EQ(factorName(18), "z_1");
  EXPECT_EQ(factorName(117), "z_100");
  // Names that are letters, and names that are not, stand side by side in one dim.
  RuleBuilder builder(1, 0);
  DimFactors all;
  for (int i = 0; i < 40; ++i)
    all.push_back(builder.factor(2));
  OpRule rule = builder.operand(0, 0, all).take();
  EXPECT_EQ(ruleOf(rule.str()), rule);
}

TEST(OpRule, KindsThatShardyLacksPrintAsItsNearest) {
  constexpr std::pair<FactorKind, const char *> cases[] = {
      {FactorKind::pass, ""},
      {FactorKind::reduce, " reduction={i}"},
      {FactorKind::window, " permutation={i}"},
      {FactorKind::index, " need_replication={i}"},
      {FactorKind::scan, " need_replication={i}"},
      {FactorKind::sort, " need_replication={i}"},
      {FactorKind::transpose, " need_replication={i}"},
      {FactorKind::whole, " need_replication={i}"}};
  for (auto [kind, text] : cases) {
    RuleBuilder builder(1, 0);
    int16_t i = builder.factor(4, kind);
    EXPECT_EQ(builder.operand(0, 0, {i}).take().str(), std::string("([i])->() {i=4}") + text)
        << nameOf(kind);
  }
}

TEST(OpRule, BuilderGrowsRanks) {
  RuleBuilder builder(2, 1);
  int16_t i = builder.factor(8),
          k = builder.factor(Factor{4, FactorKind::reduce, ReductionKind::max});
  OpRule rule = builder.operand(0, 1, {k})
                    .operand(0, 0, {i})
                    .operandRank(1, 2)
                    .result(0, 0, {i})
                    .resultRank(0, 2)
                    .take();
  EXPECT_EQ(rule.str(), "([i, j], [*, *])->([i, *]) {i=8, j=4} reduction={j}");
  EXPECT_EQ(rule.numTensors(), 3);
  EXPECT_EQ(rule.tensor(2), rule.results[0]);
  EXPECT_EQ(rule.factors[k].reduction, ReductionKind::max);
}

TEST(OpRule, ParserSaysWhere) {
  auto error = [](std::string_view text) {
    return std::string(ruleFromText(text).status().message());
  };
  EXPECT_EQ(error("[i]"), "1:1: expected '('");
  EXPECT_EQ(error("(i)->()"), "1:2: expected '['");
  EXPECT_EQ(error("([i)"), "1:4: expected ']'");
  EXPECT_EQ(error("([i] [i])"), "1:6: expected ')'");
  EXPECT_EQ(error("([i]), ([i])"), "1:6: expected '->'");
  EXPECT_EQ(error("([2])->()"), "1:3: expected factors or '*'");
  EXPECT_EQ(error("([h])->()"), "1:4: expected factors i to z and z_1, z_2 and so on, not 'h'");
  EXPECT_EQ(error("([z_0])->()"), "1:6: expected factors i to z and z_1, z_2 and so on, not 'z_0'");
  EXPECT_EQ(error("([z_9999])->()"),
            "1:9: expected factors i to z and z_1, z_2 and so on, not 'z_9999'");
  EXPECT_EQ(error("([i_1])->()"), "1:6: expected factors i to z and z_1, z_2 and so on, not 'i_1'");
  EXPECT_EQ(error("([i])->()"), "1:10: expected '{'");
  EXPECT_EQ(error("([i])->() {}"), "1:13: factor i has no size");
  EXPECT_EQ(error("([i])->() {j=2}"), "1:15: expected the size of factor i");
  EXPECT_EQ(error("([i])->() {i=2, i=2}"), "1:20: expected the size of factor j");
  EXPECT_EQ(error("([i])->() {i=-2}"), "1:16: expected the size of the factor");
  EXPECT_EQ(error("([i])->() {i=2} reduction={j}"), "1:29: factor j has no size");
  EXPECT_EQ(error("([i])->() {i=2} reduction={ij}"), "1:30: expected a factor");
  EXPECT_EQ(error("([i])->() {i=2} reduction={i} permutation={i}"),
            "1:45: factor i stands in two sets or in one twice");
  EXPECT_EQ(error("([i])->() {i=2} blocked_propagation={i, i}"),
            "1:42: factor i stands in two sets or in one twice");
  EXPECT_EQ(error("([i])->() {i=2}, mine"), "1:18: expected 'custom'");
  // Sets come in the order in which they are printed.
  EXPECT_EQ(error("([i, j])->() {i=2, j=2} permutation={i} reduction={j}"),
            "1:41: unexpected text after the end");
}

TEST(OpRule, VerifySaysWhatIsWrong) {
  using Shapes = std::vector<std::vector<int64_t>>;
  auto error = [](std::string_view text, Shapes operands, Shapes results) {
    return std::string(verify(ruleOf(text), operands, results).message());
  };
  const char *dot = "([i, k], [k, j])->([i, j]) {i=8, j=6, k=4} reduction={k}";
  EXPECT_EQ(error(dot, {{8, 4}, {4, 6}}, {{8, 6}}), "");
  EXPECT_EQ(error(dot, {{8, 4}}, {{8, 6}}),
            "sharding rule has 2 operands and 1 results, the op has 1 and 1");
  EXPECT_EQ(error(dot, {{8, 4}, {4, 6}}, {}),
            "sharding rule has 2 operands and 1 results, the op has 2 and 0");
  EXPECT_EQ(error(dot, {{8, 4}, {4}}, {{8, 6}}),
            "sharding rule gives operand 1 2 dims, the tensor has 1");
  EXPECT_EQ(error(dot, {{8, 4}, {4, 6}}, {{8, 7}}),
            "sharding rule gives dim 1 of result 0 size 6, the tensor has 7");
  EXPECT_EQ(error("([ij])->([i, j]) {i=2, j=3}", {{6}}, {{2, 3}}), "");
  EXPECT_EQ(error("([ij])->([i, j]) {i=2, j=3}", {{5}}, {{2, 3}}),
            "sharding rule gives dim 0 of operand 0 size 6, the tensor has 5");
  EXPECT_EQ(error("([i, i])->([]) {i=4}", {{4, 4}}, {{}}),
            "sharding rule has factor i twice in operand 0");
  EXPECT_EQ(error("([i])->([i]) {i=4} reduction={i}", {{4}}, {{4}}),
            "sharding rule reduces factor i, which a result still has");
  EXPECT_EQ(error("([i])->([i]) {i=4, j=2}", {{4}}, {{4}}),
            "sharding rule has factor j in no tensor");
  EXPECT_EQ(error("([*])->([*]), custom", {{4}}, {{5}}), "");
  // A product too large for the type is no size that a tensor has.
  EXPECT_EQ(error("([ij])->() {i=4611686018427387904, j=4}", {{0}}, {}),
            "sharding rule gives dim 0 of operand 0 size 9223372036854775807, the tensor has 0");
}

} // namespace
} // namespace spmd
