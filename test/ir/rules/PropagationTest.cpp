#include "spmd/ir/rules/Propagation.h"

#include "spmd/ir/sharding/Spec.h"

#include <gtest/gtest.h>

namespace spmd {
namespace {

constexpr char dot[] = "([i, j], [j, k])->([i, k]) {i=8, j=8, k=8} reduction={j}";
constexpr char add[] = "([i, j], [i, j])->([i, j]) {i=8, j=8}";

class PropagationTest : public testing::Test {
protected:
  /// Runs one step; returns the shardings after it, with semicolons between.
  std::string step(const std::string &rule, const std::vector<std::string> &texts,
                   std::vector<double> bytes = {}, StepScope scope = {}) {
    OpRule parsed = *ruleFromText(rule);
    std::vector<Sharding> tensors;
    for (const std::string &text : texts)
      tensors.push_back(*resolve(mesh, *shardingFromText(text)));
    if (bytes.empty())
      bytes.assign(texts.size(), 1);
    std::vector<Sharding> before = tensors;
    bool changed = propagateStep(parsed, absl::MakeSpan(tensors), bytes, scope);
    EXPECT_EQ(changed, before != tensors);
    // A step on its own outcome changes nothing.
    std::vector<Sharding> again = tensors;
    EXPECT_FALSE(propagateStep(parsed, absl::MakeSpan(again), bytes, scope));
    EXPECT_EQ(again, tensors);
    std::string result;
    for (const Sharding &tensor : tensors)
      result += (result.empty() ? "" : "; ") + toSpec(mesh, tensor).str();
    return result;
  }

  Mesh mesh = *meshFromText("<[\"x\"=2, \"y\"=4]>");
};

TEST_F(PropagationTest, OperandsTellTheResult) {
  EXPECT_EQ(step(dot, {R"([{"x"}, {?}])", R"([{?}, {"y"}])", "[{?}, {?}]"}),
            R"([{"x"}, {?}]; [{?}, {"y"}]; [{"x", ?}, {"y", ?}])");
}

TEST_F(PropagationTest, TheResultTellsOperands) {
  EXPECT_EQ(step(dot, {"[{?}, {?}]", "[{?}, {?}]", R"([{"x"}, {"y"}])"}),
            R"([{"x", ?}, {?}]; [{?}, {"y", ?}]; [{"x"}, {"y"}])");
}

TEST_F(PropagationTest, OperandsTellEachOther) {
  EXPECT_EQ(step(dot, {R"([{?}, {"x"}])", "[{?}, {?}]", "[{?}, {?}]"}),
            R"([{?}, {"x"}]; [{"x", ?}, {?}]; [{?}, {?}])");
}

TEST_F(PropagationTest, ClosedDimsNeverChange) {
  EXPECT_EQ(step(add, {R"([{"x"}, {}])", "[{}, {}]", "[{}, {?}]"}),
            R"([{"x"}, {}]; [{}, {}]; [{}, {?}])");
}

TEST_F(PropagationTest, TheLongerListGoesOn) {
  EXPECT_EQ(step(add, {R"([{"x", ?}, {?}])", R"([{"x", "y"}, {}])", "[{?}, {?}]"}),
            R"([{"x", "y", ?}, {?}]; [{"x", "y"}, {}]; [{"x", "y", ?}, {?}])");
}

TEST_F(PropagationTest, AConflictInAFactorGoesToTheLargerTensor) {
  EXPECT_EQ(step(add, {R"([{"x", ?}, {?}])", R"([{"y", ?}, {?}])", "[{?}, {?}]"}, {1, 2, 1}),
            R"([{"x", ?}, {?}]; [{"y", ?}, {?}]; [{"y", ?}, {?}])");
}

TEST_F(PropagationTest, AConflictBetweenFactorsGoesToTheLargerTensor) {
  EXPECT_EQ(step(dot, {R"([{"x"}, {}])", R"([{}, {"x"}])", "[{?}, {?}]"}, {1, 2, 1}),
            R"([{"x"}, {}]; [{}, {"x"}]; [{?}, {"x", ?}])");
}

TEST_F(PropagationTest, TiesGoToTheEarlierTensor) {
  EXPECT_EQ(step(dot, {R"([{"x"}, {}])", R"([{}, {"x"}])", "[{?}, {?}]"}),
            R"([{"x"}, {}]; [{}, {"x"}]; [{"x", ?}, {?}])");
}

TEST_F(PropagationTest, ReservedAxesAreNotTaken) {
  EXPECT_EQ(step(add, {R"([{"x"}, {}])", R"([{?}, {?}], replicated={"x"})", "[{?}, {?}]"}),
            R"([{"x"}, {}]; [{?}, {?}], replicated={"x"}; [{"x", ?}, {?}])");
}

TEST_F(PropagationTest, PartialAxesAreNotTaken) {
  EXPECT_EQ(step(add, {R"([{"x"}, {}])", R"([{?}, {?}], unreduced={"x"})", "[{?}, {?}]"}),
            R"([{"x"}, {}]; [{?}, {?}], unreduced={"x"}; [{"x", ?}, {?}])");
}

TEST_F(PropagationTest, ReshapeCutsAxesAtFactors) {
  EXPECT_EQ(step("([ij])->([i, j]) {i=2, j=8}", {R"([{"y"}])", "[{?}, {?}]"}),
            R"([{"y"}]; [{"y":(1)2, ?}, {"y":(2)2, ?}])");
}

TEST_F(PropagationTest, ReshapeTakesNoUnevenPart) {
  EXPECT_EQ(step("([i, j])->([ij]) {i=10, j=3}", {R"([{"y"}, {}])", "[{?}]"}),
            R"([{"y"}, {}]; [{?}])");
}

TEST_F(PropagationTest, ReshapeTakesNoPartWithoutThoseBefore) {
  // `k` is split behind `j` there, and `j` has no place behind a whole `i`.
  constexpr char merge[] = "([i, jk])->([ij, k]) {i=3, j=2, k=4}";
  EXPECT_EQ(step(merge, {R"([{}, {"x", "y"}])", "[{?}, {?}]"}), R"([{}, {"x", "y"}]; [{?}, {?}])");
  EXPECT_EQ(step("([ij])->([i, j]) {i=2, j=4}", {R"([{"x", "y"}])", "[{?}, {?}]"}),
            R"([{"x", "y"}]; [{"x", ?}, {"y", ?}])");
}

TEST_F(PropagationTest, ScopeLimitsWhoLearns) {
  StepScope onlyBackward, onlyForward, onlyPass;
  onlyBackward.forward = false;
  onlyForward.backward = false;
  onlyPass.onlyPass = true;
  EXPECT_EQ(step(add, {R"([{"x"}, {}])", "[{?}, {?}]", "[{?}, {?}]"}, {}, onlyBackward),
            R"([{"x"}, {}]; [{"x", ?}, {?}]; [{?}, {?}])");
  EXPECT_EQ(step(add, {R"([{"x"}, {}])", "[{?}, {?}]", "[{?}, {?}]"}, {}, onlyForward),
            R"([{"x"}, {}]; [{?}, {?}]; [{"x", ?}, {?}])");
  EXPECT_EQ(step(dot, {R"([{?}, {"x"}])", "[{?}, {?}]", "[{?}, {?}]"}, {}, onlyPass),
            R"([{?}, {"x"}]; [{?}, {?}]; [{?}, {?}])");
}

TEST_F(PropagationTest, BlockedFactorsPassNothing) {
  EXPECT_EQ(step("([i])->([i]) {i=8} blocked_propagation={i}", {R"([{"x"}])", "[{?}]"}),
            R"([{"x"}]; [{?}])");
}

TEST_F(PropagationTest, UnanimousTensorsTakeWhatAllStartWith) {
  StepScope scope;
  scope.unanimous = true;
  EXPECT_EQ(step(add, {R"([{"x", ?}, {?}])", R"([{"y", ?}, {?}])", "[{?}, {?}]"}, {1, 2, 1}, scope),
            R"([{"x", ?}, {?}]; [{"y", ?}, {?}]; [{?}, {?}])");
  EXPECT_EQ(step(add, {R"([{"x", "y"}, {}])", R"([{"x"}, {}])", "[{?}, {?}]"}, {}, scope),
            R"([{"x", "y"}, {}]; [{"x"}, {}]; [{"x", "y", ?}, {?}])");
  EXPECT_EQ(step(add, {R"([{"y":(1)2, "x"}, {}])", R"([{"y"}, {}])", "[{?}, {?}]"}, {}, scope),
            R"([{"y":(1)2, "x"}, {}]; [{"y"}, {}]; [{"y":(1)2, ?}, {?}])");
}

TEST_F(PropagationTest, OfUnanimousTensorsAClosedResultObjects) {
  StepScope scope;
  scope.unanimous = true;
  EXPECT_EQ(step(add, {R"([{"x"}, {}])", "[{?}, {?}]", "[{}, {}]"}, {}, scope),
            R"([{"x"}, {}]; [{?}, {?}]; [{}, {}])");
  EXPECT_EQ(step(add, {"[{}, {}]", "[{?}, {?}]", R"([{"x"}, {}])"}, {}, scope),
            R"([{}, {}]; [{"x", ?}, {?}]; [{"x"}, {}])");
}

TEST_F(PropagationTest, UnanimousElementwiseTiesGoToWhatIsSplitMore) {
  StepScope scope;
  scope.unanimous = true;
  EXPECT_EQ(step(add, {R"([{"x"}, {}])", R"([{}, {"x", "y"}])", "[{?}, {?}]"}, {}, scope),
            R"([{"x"}, {}]; [{}, {"x", "y"}]; [{?}, {"x", "y", ?}])");
}

TEST_F(PropagationTest, UnanimousAxesPassAlongSlices) {
  StepScope scope;
  scope.unanimous = true;
  constexpr char slice[] = "([i, j])->([i, j]) {i=8, j=8} permutation={j} blocked_propagation={j}";
  EXPECT_EQ(step(slice, {R"([{}, {"x"}])", "[{?}, {?}]"}), R"([{}, {"x"}]; [{?}, {?}])");
  EXPECT_EQ(step(slice, {R"([{}, {"x"}])", "[{?}, {?}]"}, {}, scope),
            R"([{}, {"x"}]; [{?}, {"x", ?}])");
}

TEST_F(PropagationTest, ShortDimsTakeNoPadding) {
  constexpr char slice[] = "([i])->([i]) {i=12} permutation={i}";
  StepScope scope;
  bool isHandedOn = false;
  auto sliced = [&](int64_t from, int64_t to, const std::string &operand,
                    const std::string &result) {
    std::vector<int64_t> before = {from}, after = {to};
    std::vector<absl::Span<const int64_t>> sizes = {before, after};
    bool handedOn[] = {false, isHandedOn};
    scope.sizes = sizes;
    scope.handedOn = handedOn;
    return step(slice, {operand, result}, {}, scope);
  };
  EXPECT_EQ(sliced(12, 2, R"([{"y"}])", "[{?}]"), R"([{"y"}]; [{"y", ?}])"); // Half of it.
  EXPECT_EQ(sliced(12, 1, R"([{"y"}])", "[{?}]"), R"([{"y"}]; [{?}])");
  EXPECT_EQ(sliced(12, 3, R"([{"x", "y"}])", "[{?}]"), R"([{"x", "y"}]; [{"x", ?}])");
  // The longer one may learn, and what is as short as what it learns from.
  EXPECT_EQ(sliced(12, 1, "[{?}]", R"([{"y"}])"), R"([{"y", ?}]; [{"y"}])");
  EXPECT_EQ(sliced(3, 3, R"([{"x", "y"}])", "[{?}]"), R"([{"x", "y"}]; [{"x", "y", ?}])");
  EXPECT_EQ(sliced(3, 2, R"([{"x", "y"}])", "[{?}]"), R"([{"x", "y"}]; [{"x", "y", ?}])");
  // Nothing computes with the padding.
  isHandedOn = true;
  EXPECT_EQ(sliced(12, 1, R"([{"y"}])", "[{?}]"), R"([{"y"}]; [{"y", ?}])");
}

TEST_F(PropagationTest, LightAndBroadcastRules) {
  EXPECT_TRUE(isLight(*ruleFromText(add)));
  EXPECT_TRUE(isLight(*ruleFromText("([ij])->([i, j]) {i=2, j=8}")));
  EXPECT_FALSE(isLight(*ruleFromText(dot)));
  EXPECT_TRUE(isBroadcast(*ruleFromText("([i])->([i, j]) {i=2, j=8}")));
  EXPECT_FALSE(isBroadcast(*ruleFromText(dot)));
  EXPECT_FALSE(isBroadcast(*ruleFromText("()->([i]) {i=2}"))); // A constant.
}

} // namespace
} // namespace spmd
