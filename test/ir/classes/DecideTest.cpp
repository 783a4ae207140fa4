#include "spmd/ir/classes/Decide.h"

#include "spmd/ir/classes/Candidates.h"
#include "spmd/ir/classes/PlanCost.h"
#include "spmd/test/ir/classes/Graphs.h"

#include <random>

namespace spmd {
namespace {

Decisions decide(GraphText &text) {
  std::vector<bool> isFree = text.noneFree();
  return ConflictDecider(text.graph, isFree, ValueUses(text.graph)).decide();
}

// Many rows stay where they are, and the weights come; few rows move to the weights.
TEST(DecideTest, TheSideThatCostsLessMoves) {
  TwoLayers many(4096), few(2);
  decide(many);
  EXPECT_EQ(many.at(many.hidden), R"([{"x", ?}, {?}])");
  EXPECT_EQ(many.at(many.active), R"([{"x", ?}, {?}])");
  decide(few);
  EXPECT_EQ(few.at(few.hidden), R"([{?}, {"x", ?}])");
  EXPECT_EQ(few.at(few.active), R"([{?}, {"x", ?}])");
}

TEST(DecideTest, ADecisionSaysWhatItDecided) {
  TwoLayers text(4096);
  Decisions decisions = decide(text);
  ASSERT_EQ(decisions.all.size(), 1u);
  EXPECT_EQ(decisions.all[0].axis, 0);
  EXPECT_EQ(decisions.all[0].numGroups, 1);
  EXPECT_GT(decisions.all[0].gain, 0);
  EXPECT_EQ(decisions.ofValue[text.hidden], 0);
  EXPECT_EQ(decisions.ofValue[text.rows], ShardGraph::none);
  EXPECT_EQ(decisions.changed, (std::vector<int32_t>{text.hidden, text.active}));
}

TEST(DecideTest, DecidingAgainChangesNothing) {
  for (int64_t batch : {2, 64, 4096}) {
    TwoLayers text(batch);
    decide(text);
    EXPECT_TRUE(decide(text).all.empty());
  }
}

// Of 5 rows over 4 devices two hold nothing or half; 9 columns over 2 devices are nearly even.
TEST(DecideTest, ADimThatWouldBeMostlyPaddingIsNotSplit) {
  GraphText text;
  int32_t a = text.value({5, 64}, R"([{"y"}, {}])"), b = text.value({64, 9}, R"([{}, {"x"}])");
  int32_t r = text.value({5, 9});
  text.op("([i, k], [k, j])->([i, j]) {i=5, j=9, k=64} reduction={k}", {a, b}, r);
  decide(text);
  EXPECT_EQ(text.at(r), R"([{?}, {"x", ?}])");
}

// What an axis stood between becomes one part when it goes.
TEST(DecideTest, PartsOfAnAxisStayMerged) {
  GraphText text;
  int32_t a = text.value({16, 64}, R"([{"y":(1)2, "x", "y":(2)2}, {}])");
  int32_t b = text.value({16, 64}, R"([{}, {"x"}])"), r = text.value({16, 64});
  text.set(r, R"([{"y":(1)2, "x", "y":(2)2, ?}, {?}])", ShardingState::inferred);
  text.op("([i, j], [i, j])->([i, j]) {i=16, j=64}", {a, b}, r);
  for (int i = 0; i < 4; ++i) // Many want it so.
    text.op("([i, j])->([i, j]) {i=16, j=64}", {r}, text.value({16, 64}, R"([{"y"}, {"x"}])"));
  EXPECT_FALSE(decide(text).all.empty());
  EXPECT_TRUE(verify(text.graph).empty());
  EXPECT_EQ(text.at(r), R"([{"y", ?}, {"x", ?}])");
}

// What is made of two that have the axes of a dim in two orders lies as one of them: only the other
// moves, once.
TEST(DecideTest, AxesOfADimHaveOneOrder) {
  GraphText text;
  int32_t a = text.value({64, 64}, R"([{"y", "x"}, {}])"),
          b = text.value({64, 64}, R"([{"x"}, {}])");
  std::string one = "([i, j])->([i, j]) {i=64, j=64}",
              both = "([i, j], [i, j])->([i, j]) {i=64, j=64}";
  int32_t first = text.value({64, 64}), sum = text.value({64, 64}), product = text.value({64, 64});
  text.op(one, {b}, first);
  text.op(both, {a, first}, sum);
  text.op(both, {first, sum}, product);
  text.set(first, R"([{"x", "y", ?}, {?}])", ShardingState::inferred);
  text.set(sum, R"([{"y", "x", ?}, {?}])", ShardingState::inferred);
  text.set(product, R"([{"x", "y", ?}, {?}])", ShardingState::inferred);
  decide(text);
  for (int32_t value : {first, sum, product})
    EXPECT_EQ(text.at(value), R"([{"y", "x", ?}, {?}])");
}

// The order that the first value claims is not the one that most want.
TEST(DecideTest, WhatHasTheFirstOrderMayTakeTheOther) {
  GraphText text;
  int32_t a = text.value({64, 64}, R"([{"x", "y"}, {}])");
  int32_t b = text.value({64, 64}, R"([{"y", "x"}, {}])");
  int32_t sum = text.value({64, 64}), result = text.value({64, 64}, R"([{"y", "x"}, {}])");
  for (auto [from, to] : {std::pair(a, sum), {sum, result}})
    text.op("([i, j], [i, j])->([i, j]) {i=64, j=64}", {from, b}, to);
  text.set(sum, R"([{"x", "y", ?}, {?}])", ShardingState::inferred);
  decide(text);
  EXPECT_EQ(text.at(sum), R"([{"y", "x", ?}, {?}])");
}

// Between two orders, only the order is decided: rows that lie as they are wanted are not gathered,
// though that takes less than to add up what depends on all of them, and though some of what they
// lie on is padding.
TEST(DecideTest, WhatHasOneOfTwoOrdersStaysSplit) {
  GraphText text;
  int32_t a = text.value({6}, R"([{"y"}])"), b = text.value({6}, R"([{"x", "y"}])");
  int32_t rows = text.value({6}), sum = text.value({}), one = text.value({});
  for (int32_t to : {a, b})
    text.op("([i])->([i]) {i=6}", {rows}, to);
  text.op("([i])->([]) {i=6} reduction={i}", {rows}, sum);
  text.op("([])->([])", {sum}, one);
  text.set(rows, R"([{"y", ?}])", ShardingState::inferred);
  EXPECT_TRUE(decide(text).all.empty());
  EXPECT_EQ(text.at(rows), R"([{"y", ?}])");
}

// A value that two meshes want is decided for one of them, and stays there.
TEST(DecideTest, MeshesAreNotMixed) {
  GraphText text;
  Mesh other = *meshFromText("<[\"u\"=8]>");
  int32_t onOther = text.graph.addMesh(other);
  int32_t a = text.value({64, 1024}, R"([{"y"}, {}])"), r = text.value({64, 1024});
  int32_t b = text.value({64, 1024});
  text.graph.value(b).sharding =
      text.graph.internSharding({onOther, *resolve(other, *shardingFromText(R"([{}, {"u"}])"))});
  text.graph.value(b).state = ShardingState::pinned;
  text.op("([i, j])->([i, j]) {i=64, j=1024}", {a}, r);
  text.op("([i, j])->([i, j]) {i=64, j=1024}", {r}, b);
  decide(text);
  EXPECT_TRUE(verify(text.graph).empty());
}

TEST(DecideTest, FreeValuesFollowAnew) {
  TwoLayers text(4096);
  int32_t one = text.value({4096, 32});
  text.set(one, R"([{?}, {"x", ?}])", ShardingState::inferred);
  text.op("([i, j], [i, j])->([i, j]) {i=4096, j=32}", {text.hidden, one}, text.active);
  std::vector<bool> isFree = text.noneFree();
  isFree[one] = true;
  Decisions decisions = ConflictDecider(text.graph, isFree, ValueUses(text.graph)).decide();
  EXPECT_EQ(text.at(one), "");
  EXPECT_EQ(decisions.changed.front(), one);
}

/// A random program of products, sums and turns of squares, some values pinned.
GraphText randomProgram(std::mt19937 &random) {
  const char *pins[] = {R"([{"x"}, {}])", R"([{}, {"x"}])", R"([{"x"}, {"y"}])",
                        R"([{"y", "x"}, {}])", R"([{?}, {"y", ?}])"};
  GraphText text;
  auto any = [&] { return static_cast<int32_t>(random() % text.graph.numValues()); };
  auto value = [&](unsigned pinnedOf4) {
    return text.value({16, 16}, random() % 4 < pinnedOf4 ? pins[random() % std::size(pins)] : "");
  };
  for (int i = 0; i < 3; ++i)
    value(3);
  for (int i = 0; i < 12; ++i) {
    int32_t a = any(), b = any(), r = value(1);
    switch (random() % 3) {
    case 0:
      text.op("([i, k], [k, j])->([i, j]) {i=16, j=16, k=16} reduction={k}", {a, b}, r);
      break;
    case 1:
      text.op("([i, j], [i, j])->([i, j]) {i=16, j=16}", {a, b}, r);
      break;
    default:
      text.op("([i, j])->([j, i]) {i=16, j=16}", {a}, r);
    }
  }
  return text;
}

TEST(DecideTest, ThePlanNeverGetsDearerAndPinsStay) {
  for (unsigned seed = 0; seed < 300; ++seed) {
    std::mt19937 random(seed);
    GraphText text = randomProgram(random);
    std::vector<ShardGraph::Value> before;
    for (int32_t v = 0; v < text.graph.numValues(); ++v)
      before.push_back(text.graph.value(v));
    std::vector<bool> isFree = text.noneFree();
    ValueUses uses(text.graph);
    double costBefore = PlanCost(text.graph, isFree, uses).total();
    double gain = 0;
    for (const Decision &decision : decide(text).all)
      gain += decision.gain;
    double costAfter = PlanCost(text.graph, isFree, uses).total();
    EXPECT_LE(costAfter, costBefore);
    EXPECT_NEAR(costBefore - costAfter, gain, 1e-9 * costBefore);
    EXPECT_TRUE(verify(text.graph).empty());
    for (int32_t v = 0; v < text.graph.numValues(); ++v)
      if (before[v].state == ShardingState::pinned) {
        EXPECT_EQ(before[v].sharding, text.graph.value(v).sharding);
        EXPECT_EQ(text.graph.value(v).state, ShardingState::pinned);
      }
  }
}

} // namespace
/// One dim may take a part of an axis, and another the rest. What none takes of what there was is
/// kept off, or rounds would bring it back, to be decided once more.
TEST(CandidatesTest, WhatIsTakenOfAnAxisIsKeptOff) {
  GraphText text;
  int32_t rows = text.value({64, 64}, R"([{"y":(2)2}, {}])"),
          columns = text.value({64, 64}, R"([{}, {"y"}])"), sum = text.value({64, 64});
  text.set(sum, R"([{?}, {"y":(1)2, ?}])", ShardingState::inferred);
  text.op("([i, j], [i, j])->([i, j]) {i=64, j=64}", {rows, columns}, sum);
  ValueUses uses(text.graph);
  std::vector<bool> isFree = text.noneFree();
  DimClasses classes(text.graph, isFree);
  PlanCost cost(text.graph, isFree, uses);
  ConflictGroups groups = findConflictGroups(text.graph, classes, isFree, uses);
  ASSERT_EQ(groups.size(), 1u);
  Targets targets(text.graph, classes, cost);
  targets.start(groups, groups[0]);
  std::vector<std::string> found;
  for (const Candidate &candidate :
       {Candidate{{0}}, Candidate{{1}}, Candidate{{0, 1}}, Candidate{}})
    if (targets.choose(candidate))
      found.push_back(
          toSpec(text.mesh, text.graph.sharding(targets.of(0).sharding).sharding).str());
  EXPECT_EQ(found, (std::vector<std::string>{
                       R"([{"y":(2)2, ?}, {?}], replicated={"y":(1)2})", R"([{?}, {"y", ?}])",
                       R"([{"y":(2)2, ?}, {"y":(1)2, ?}])", R"([{?}, {?}], replicated={"y"})"}));
}

/// Deciding and rounds take turns. Where rounds undo what was decided, to decide it again makes
/// nothing cheaper, by which turns end.
TEST(DecideTest, WhatIsDecidedAgainIsNotCheaper) {
  GraphText text;
  int32_t rows = text.value({64, 64}, R"([{"x"}, {}])"),
          columns = text.value({4096, 64}, R"([{}, {"x"}])"), some = text.value({64, 64});
  int32_t product = text.value({64, 4096});
  text.op("([i, j])->([i, j]) {i=64, j=64}", {rows}, some);
  text.op("([i, k], [j, k])->([i, j]) {i=64, j=4096, k=64} reduction={k}", {some, columns},
          product);
  ValueUses uses(text.graph);
  std::vector<bool> isFree = text.noneFree();
  ConflictDecider decider(text.graph, isFree, uses);
  text.set(some, R"([{?}, {"x", ?}])", ShardingState::inferred);
  text.set(product, R"([{?}, {?}])", ShardingState::inferred);
  std::vector<double> levels;
  for (int turn = 0; turn < 3; ++turn) {
    std::vector<int32_t> before = {text.graph.value(some).sharding,
                                   text.graph.value(product).sharding};
    Decisions decisions = decider.decide();
    ASSERT_FALSE(decisions.all.empty());
    levels.push_back(decisions.level);
    text.graph.value(some).sharding = before[0];
    text.graph.value(product).sharding = before[1];
  }
  EXPECT_LT(levels[0], 0);
  EXPECT_GT(levels[1], levels[0] - leastGain);
  EXPECT_GT(levels[2], levels[1] - leastGain);
  EXPECT_GT(decider.levelNow(), levels[2]);
}

} // namespace spmd
