#include "spmd/ir/classes/PlanCost.h"

#include "spmd/test/ir/classes/Graphs.h"

#include <random>

namespace spmd {
namespace {

/// What one collective counts beside what it moves.
const double latencyBytes = CostModel{}.latency * CostModel{}.bandwidth;

TEST(PlanCostTest, ACopyCostsWhatItMoves) {
  GraphText text;
  int32_t a = text.value({8, 4}, R"([{"x"}, {}])"), b = text.value({8, 4}, "[{}, {}]");
  text.op("([i, j])->([i, j]) {i=8, j=4}", {a}, b);
  ValueUses uses(text.graph);
  std::vector<bool> isFree = text.noneFree();
  double gather = 8 * 4 * 4 / 2 + latencyBytes; // Half of the result, and one collective.
  double cost = PlanCost(text.graph, isFree, uses).total() * CostModel{}.bandwidth;
  EXPECT_GE(cost, gather);
  EXPECT_LT(cost, gather + 8 * 4 * 4);
  isFree[a] = true; // Made anew where it is needed.
  EXPECT_LT(PlanCost(text.graph, isFree, uses).total() * CostModel{}.bandwidth, gather);
}

TEST(PlanCostTest, UsersThatWantAValueAlikeShareItsMove) {
  auto costOf = [](int numUsers) {
    GraphText text;
    int32_t a = text.value({8, 4}, R"([{"x"}, {}])");
    int32_t w = text.value({4, 64}, R"([{}, {"y"}])"); // Its products are larger than `a`.
    for (int i = 0; i < numUsers; ++i) {
      int32_t r = text.value({8, 64}, R"([{}, {"y"}])");
      text.op("([i, k], [k, j])->([i, j]) {i=8, j=64, k=4} reduction={k}", {a, w}, r);
    }
    ValueUses uses(text.graph);
    std::vector<bool> isFree = text.noneFree();
    return PlanCost(text.graph, isFree, uses).total();
  };
  double work = costOf(3) - costOf(2),
         gather = (8 * 4 * 4 / 2 + latencyBytes) / CostModel{}.bandwidth;
  EXPECT_NEAR(costOf(2) - costOf(1), work, 1e-3 * work);
  EXPECT_NEAR(costOf(1) - work, gather, 1e-3 * gather);
}

/// Behind a constraint, one reader gets what it wants at once; several share what the constraint
/// brings, and in a loop it is brought before that.
TEST(PlanCostTest, AConstraintWithOneReaderTakesNoMoveOfItsOwn) {
  auto costOf = [](const char *pin, int numReaders, float turns = 1) {
    GraphText text;
    int32_t a = text.value({64, 8}, R"([{"x"}, {}])"), c = text.value({64, 8}, pin);
    text.op("([i, j])->([i, j]) {i=64, j=8}", {a}, c);
    text.graph.addPlacement(text.graph.numOps() - 1);
    for (int i = 0; i < numReaders; ++i) {
      int32_t w = text.value({8, 512}, R"([{}, {}])"), r = text.value({64, 512}, R"([{"x"}, {}])");
      text.op("([i, k], [k, j])->([i, j]) {i=64, j=512, k=8} reduction={k}", {c, w}, r);
      text.graph.op(text.graph.numOps() - 1).turns = text.graph.value(r).turns = turns;
    }
    ValueUses uses(text.graph);
    std::vector<bool> isFree = text.noneFree();
    return PlanCost(text.graph, isFree, uses).total() * CostModel{}.bandwidth;
  };
  const double exchange = 64 * 8 * 4 / 2 / 2 + latencyBytes; // Of a half, half goes to the other.
  const char *rows = R"([{"x"}, {}])", *columns = R"([{}, {"x"}])";
  EXPECT_NEAR(costOf(columns, 1), costOf(rows, 1), 1e-9);
  EXPECT_NEAR(costOf(columns, 2) - costOf(rows, 2), 2 * exchange, 1);
  EXPECT_NEAR(costOf(columns, 1, 5) - costOf(rows, 1, 5), 2 * exchange, 1);
}

/// What a function returns from one lies otherwise at once, too.
TEST(PlanCostTest, AnEdgeBehindAConstraintIsAReader) {
  auto costOf = [](const char *pin) {
    GraphText text;
    int32_t a = text.value({64, 8}, R"([{"x"}, {}])"), c = text.value({64, 8}, pin),
            r = text.value({64, 8}, R"([{"x"}, {}])");
    text.op("([i, j])->([i, j]) {i=64, j=8}", {a}, c);
    text.graph.addPlacement(0);
    text.graph.addEdge({c, r});
    ValueUses uses(text.graph);
    std::vector<bool> isFree = text.noneFree();
    return PlanCost(text.graph, isFree, uses).total();
  };
  EXPECT_NEAR(costOf(R"([{}, {"x"}])"), costOf(R"([{"x"}, {}])"), 1e-15);
}

/// Where rows are split, windows over them cost the rows of neighbours, and not all rows.
TEST(PlanCostTest, WindowsCostTheRowsOfNeighbours) {
  auto costOf = [](const Window &window, int64_t numResults, const char *sharding) {
    GraphText text;
    int32_t a = text.value({64, 512}, sharding), r = text.value({numResults, 512}, sharding);
    OpRule rule = *ruleFromText("([i, j])->([i, j]) {i=64, j=512}");
    rule.factors[0].kind = FactorKind::window;
    rule.factors[0].window = window;
    text.graph.addOp(rule, {a}, {r});
    ValueUses uses(text.graph);
    std::vector<bool> isFree = text.noneFree();
    return PlanCost(text.graph, isFree, uses).total() * CostModel{}.bandwidth;
  };
  auto halo = [&](const Window &window, int64_t numResults) {
    const char *rows = R"([{"y"}, {}])", *columns = R"([{}, {"y"}])";
    return costOf(window, numResults, rows) - costOf(window, numResults, columns);
  };
  constexpr double row = 512 * 4;
  Window three{3};
  three.padLow = three.padHigh = 1;
  EXPECT_NEAR(halo(three, 64), 2 * (row + latencyBytes), 1);
  Window dilated{3};
  dilated.windowDilation = 4; // Reads 4 rows on each side.
  dilated.padLow = dilated.padHigh = 4;
  EXPECT_NEAR(halo(dilated, 64), 2 * (4 * row + latencyBytes), 1);
  Window strided{3, 2};
  strided.padHigh = 1;
  EXPECT_NEAR(halo(strided, 32), row + latencyBytes, 1); // The first of the next.
  Window blocks{2, 2};
  EXPECT_NEAR(halo(blocks, 32), 0, 1);
  Window cut{1};
  cut.padLow = -2; // From row 2 on, as many as before less 4.
  EXPECT_GT(halo(cut, 60), row);
  EXPECT_LT(halo(cut, 60), 8 * row);
}

TEST(PlanCostTest, LoopsCountAsOftenAsTheyTurn) {
  GraphText text;
  int32_t a = text.value({8, 4}, R"([{"x"}, {}])"), b = text.value({8, 4}, "[{}, {}]");
  text.op("([i, j])->([i, j]) {i=8, j=4}", {a}, b);
  ValueUses uses(text.graph);
  std::vector<bool> isFree = text.noneFree();
  double once = PlanCost(text.graph, isFree, uses).total();
  text.graph.op(0).turns = 10;
  text.graph.value(a).turns = text.graph.value(b).turns = 10;
  EXPECT_NEAR(PlanCost(text.graph, isFree, uses).total(), 10 * once, 1e-9 * once);
}

/// What a loop starts from and what its body hands on are moved to where the carry lies: gathered
/// for one that is whole, sliced for one that is split.
TEST(PlanCostTest, AJoinMovesWhatItTies) {
  auto costOf = [](const char *carried, const char *given, float turns) {
    GraphText text;
    int32_t carry = text.value({8, 4}, carried), init = text.value({8, 4}, given);
    int32_t next = text.value({8, 4}, given);
    text.graph.addEdge({carry, init, next});
    text.graph.op(0).turns = text.graph.value(carry).turns = text.graph.value(next).turns = turns;
    ValueUses uses(text.graph);
    std::vector<bool> isFree = text.noneFree();
    return PlanCost(text.graph, isFree, uses).total() * CostModel{}.bandwidth;
  };
  double gather = 8 * 4 * 4 / 2 + latencyBytes;
  for (float turns : {1.0F, 10.0F}) {
    EXPECT_GE(costOf("[{}, {}]", R"([{"x"}, {}])", turns), (1 + turns) * gather);
    EXPECT_LT(costOf("[{}, {}]", R"([{"x"}, {}])", turns), (2 + turns) * gather);
    EXPECT_LT(costOf(R"([{"x"}, {}])", "[{}, {}]", turns), turns * gather);
    EXPECT_LT(costOf(R"([{"x"}, {}])", R"([{"x"}, {}])", turns), turns * gather);
  }
}

/// Whatever changes in whatever order, the differences add up to what the plan costs anew.
TEST(PlanCostTest, DifferencesAddUp) {
  std::mt19937 random(7);
  const char *layouts[] = {"[{}, {}]", R"([{"x"}, {}])", R"([{}, {"x"}])", R"([{"y"}, {"x"}])",
                           R"([{"x", "y"}, {}])"};
  TwoLayers text(16);
  ValueUses uses(text.graph);
  std::vector<bool> isFree = text.noneFree();
  PlanCost cost(text.graph, isFree, uses);
  double running = cost.total();
  for (int step = 0; step < 200; ++step) {
    std::vector<LayoutChange> changes;
    for (int32_t v = 0; v < text.graph.numValues(); ++v) {
      if (random() % 3 != 0)
        continue;
      text.set(v, layouts[random() % std::size(layouts)], ShardingState::inferred);
      const MeshSharding &sharding = text.graph.sharding(text.graph.value(v).sharding);
      changes.push_back({v, cost.intern({sharding.mesh, sharding.sharding.layout()})});
    }
    running += cost.change(changes);
    double anew = PlanCost(text.graph, isFree, uses).total();
    ASSERT_NEAR(cost.total(), anew, 1e-9 * anew);
    ASSERT_NEAR(running, anew, 1e-9 * anew);
  }
}

} // namespace
} // namespace spmd
