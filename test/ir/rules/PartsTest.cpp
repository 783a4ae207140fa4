#include "spmd/ir/rules/Parts.h"

#include "spmd/ir/rules/SplitCache.h"
#include "spmd/ir/sharding/Spec.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

#include <gtest/gtest.h>

namespace spmd {
namespace {

/// Returns each part as its operands, results and factors, then its rule.
std::vector<std::string> textOfParts(const std::string &rule) {
  std::vector<std::string> texts;
  for (const RulePart &part : partsOf(*ruleFromText(rule)))
    texts.push_back(absl::StrCat(absl::StrJoin(part.operands, ","), " -> ",
                                 absl::StrJoin(part.results, ","), " by ",
                                 absl::StrJoin(part.factors, ","), ": ", part.rule.str()));
  EXPECT_EQ(isOnePart(*ruleFromText(rule)), texts.size() == 1);
  return texts;
}

using Texts = std::vector<std::string>;

TEST(PartsTest, TensorsThatShareNoFactorAreApart) {
  EXPECT_EQ(
      textOfParts("([i, j], [k])->([i, j], [k]) {i=2, j=3, k=4}"),
      (Texts{"0 -> 0 by 0,1: ([i, j])->([i, j]) {i=2, j=3}", "1 -> 1 by 2: ([i])->([i]) {i=4}"}));
}

TEST(PartsTest, TensorsMayBeTiedByOthers) {
  EXPECT_EQ(textOfParts("([i], [j], [i, j])->([k]) {i=2, j=3, k=4}"),
            (Texts{"0,1,2 ->  by 0,1: ([i], [j], [i, j])->() {i=2, j=3}",
                   " -> 0 by 2: ()->([i]) {i=4}"}));
}

TEST(PartsTest, AReductionTiesAllResults) {
  EXPECT_EQ(textOfParts("([i, j], [k])->([i], [k]) {i=2, j=3, k=4} reduction={j}").size(), 1);
  EXPECT_EQ(textOfParts("([i, j], [k])->([i], [k]) {i=2, j=3, k=4}").size(), 2);
}

TEST(PartsTest, TensorsWithoutFactorsAreInTheFirstPart) {
  EXPECT_EQ(textOfParts("([], [i], [j])->([i], [j]) {i=2, j=3}"),
            (Texts{"0,1 -> 0 by 0: ([], [i])->([i]) {i=2}", "2 -> 1 by 1: ([i])->([i]) {i=3}"}));
}

TEST(PartsTest, ARuleOfOnePartStaysAsItIs) {
  EXPECT_EQ(textOfParts("([i, k], [k, j])->([i, j]) {i=2, j=4, k=3} reduction={k}"),
            Texts{"0,1 -> 0 by 0,1,2: ([i, k], [k, j])->([i, j]) {i=2, j=4, k=3} reduction={k}"});
  EXPECT_EQ(textOfParts("([])->([])").size(), 1);
}

TEST(SplitCacheTest, SplitsAreFoundByWhereShardingsLie) {
  Mesh mesh = *meshFromText("<[\"x\"=2]>");
  Sharding split = *resolve(mesh, *shardingFromText(R"([{"x"}])")),
           whole = Sharding::replicatedOf(1);
  Strategies strategies = {{*ruleFromText("([i])->([i]) {i=4}"), {}, {}, 0}};
  SplitCache cache;
  const Split *found = cache.lookup(strategies, {&split, &split});
  ASSERT_NE(found, nullptr);
  EXPECT_EQ(found->strategy, &strategies[0]);
  EXPECT_EQ(found->factorAxes, FactorAxes{split.dims[0].axes});
  EXPECT_EQ(cache.lookup(strategies, {&split, &split}), found);
  EXPECT_EQ(cache.lookup(strategies, {&split, &whole}), nullptr);
}

} // namespace
} // namespace spmd
