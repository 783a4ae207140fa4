#include "spmd/ir/rules/Projection.h"

#include "spmd/ir/sharding/Layout.h"
#include "spmd/ir/sharding/Spec.h"

#include <gtest/gtest.h>

#include <set>

namespace spmd {
namespace {

Sharding shardingOf(const Mesh &mesh, const std::string &text) {
  return *resolve(mesh, *shardingFromText(text));
}

std::string textOf(const Mesh &mesh, const Sharding &sharding) {
  return toSpec(mesh, sharding).str();
}

class ProjectionTest : public testing::Test {
protected:
  Mesh mesh = *meshFromText("<[\"x\"=2, \"y\"=4]>");

  /// Brings `text` from operand 0 of `rule` to its result 0.
  std::string carry(const std::string &rule, const std::string &text, bool *isExact = nullptr) {
    OpRule parsed = *ruleFromText(rule);
    FactorAxes axes = project(parsed, parsed.operands[0], shardingOf(mesh, text), isExact);
    bool isResultExact = true;
    std::string result = textOf(mesh, unproject(parsed, parsed.results[0], axes, &isResultExact));
    if (isExact)
      *isExact &= isResultExact;
    return result;
  }
};

TEST_F(ProjectionTest, DimsOfOneFactorKeepTheirAxes) {
  EXPECT_EQ(carry("([i, j])->([j, i]) {i=8, j=6}", R"([{"x"}, {"y"}])"), R"([{"y"}, {"x"}])");
}

TEST_F(ProjectionTest, AnAxisThatCoversAFactorGoesOnToTheNext) {
  EXPECT_EQ(carry("([ij])->([i, j]) {i=2, j=8}", R"([{"y"}])"), R"([{"y":(1)2}, {"y":(2)2}])");
}

TEST_F(ProjectionTest, PartsOfAnAxisMeetAgain) {
  EXPECT_EQ(carry("([i, j])->([ij]) {i=2, j=8}", R"([{"y":(1)2}, {"y":(2)2}])"), R"([{"y"}])");
}

TEST_F(ProjectionTest, AFactorAloneInItsDimMayBeUneven) {
  bool isExact = true;
  EXPECT_EQ(carry("([i, j])->([j, i]) {i=5, j=3}", R"([{"y"}, {"x"}])", &isExact),
            R"([{"x"}, {"y"}])");
  EXPECT_TRUE(isExact);
}

TEST_F(ProjectionTest, AFactorThatSharesItsDimMustDivide) {
  bool isExact = true;
  carry("([i, j])->([ij]) {i=10, j=3}", R"([{"y"}, {}])", &isExact);
  EXPECT_FALSE(isExact);
  carry("([ij])->([i, j]) {i=10, j=3}", R"([{"y"}])", &isExact);
  EXPECT_FALSE(isExact);
}

TEST_F(ProjectionTest, TheMajorPartOfAnAxisMayDivideWhereTheAxisDoesNot) {
  bool isExact = true;
  EXPECT_EQ(carry("([ij])->([i, j]) {i=6, j=8}", R"([{"y"}])", &isExact), R"([{"y":(1)2}, {}])");
  EXPECT_FALSE(isExact);
  EXPECT_EQ(carry("([ij])->([i, j]) {i=12, j=8}", R"([{"x", "y"}])"), R"([{"x", "y":(1)2}, {}])");
}

TEST_F(ProjectionTest, AMinorFactorWaitsForTheMajorOne) {
  bool isExact = true;
  EXPECT_EQ(carry("([i, j])->([ij]) {i=4, j=8}", R"([{}, {"y"}])", &isExact), "[{}]");
  EXPECT_FALSE(isExact);
}

TEST_F(ProjectionTest, DimsWithoutFactorsAreNotSplit) {
  bool isExact = true;
  EXPECT_EQ(carry("([i, *])->([*, i]) {i=8}", R"([{"x"}, {}])", &isExact), R"([{}, {"x"}])");
  EXPECT_TRUE(isExact);
}

/// Returns the elements that the device at `position` holds, numbered in row-major order.
std::set<int64_t> elementsOf(const Mesh &mesh, const Sharding &sharding,
                             const std::vector<int64_t> &shape, int64_t position) {
  Shard shard = shardAt(mesh, sharding, shape, position);
  std::set<int64_t> elements;
  int64_t count = 1;
  for (int64_t size : shape)
    count *= size;
  for (int64_t element = 0; element < count; ++element) {
    int64_t rest = element;
    bool isInside = true;
    for (size_t d = shape.size(); d-- > 0; rest /= shape[d]) {
      int64_t index = rest % shape[d];
      isInside &= index >= shard.offsets[d] && index < shard.offsets[d] + shard.sizes[d];
    }
    if (isInside)
      elements.insert(element);
  }
  return elements;
}

// The law that reshaping rests on: where both sides are exact, no element changes its device.
TEST_F(ProjectionTest, ExactSplitsMoveNoElement) {
  Mesh cube = *meshFromText("<[\"x\"=2, \"y\"=3, \"z\"=2]>");
  const std::vector<AxisList> choices = {
      {}, {{0, 1, 2}}, {{1, 1, 3}}, {{2, 1, 2}}, {{0, 1, 2}, {2, 1, 2}}, {{0, 1, 2}, {1, 1, 3}}};
  int numExact = 0;
  for (int64_t i = 1; i <= 6; ++i)
    for (int64_t j = 1; j <= 6; ++j)
      for (const AxisList &first : choices)
        for (const AxisList &second : choices) {
          bool overlap = false;
          for (const AxisRef &ref : second)
            overlap |= overlaps(ref, first);
          if (overlap)
            continue;
          OpRule rule = *ruleFromText("([i, j])->([ij]) {i=" + std::to_string(i) +
                                      ", j=" + std::to_string(j) + "}");
          FactorAxes axes = {first, second};
          bool isExactApart = true, isExactMerged = true;
          Sharding apart = unproject(rule, rule.operands[0], axes, &isExactApart);
          Sharding merged = unproject(rule, rule.results[0], axes, &isExactMerged);
          if (!isExactApart || !isExactMerged)
            continue;
          ++numExact;
          for (int64_t position = 0; position < cube.numDevices(); ++position)
            EXPECT_EQ(elementsOf(cube, apart, {i, j}, position),
                      elementsOf(cube, merged, {i * j}, position))
                << rule.str() << " " << textOf(cube, apart) << " " << textOf(cube, merged);
        }
  EXPECT_GT(numExact, 100);
}

} // namespace
} // namespace spmd
