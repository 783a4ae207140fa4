// Plans of random graphs that are small enough to try all of them.

#include "spmd/ir/planner/Planner.h"

#include "spmd/ir/planner/Descent.h"
#include "spmd/ir/planner/Messages.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

#include <random>

using namespace spmd;

namespace {

/// A mesh, and graphs on it of matrices of 64x64 f32.
class PlannerTest : public testing::Test {
protected:
  static constexpr int64_t size = 64;

  Mesh mesh = *Mesh::create({{"x", 4}});
  CostModel model;
  ReshardCosts costs{[this](int32_t) -> const Mesh & { return mesh; }, model};
  LayoutTable table{0, costs};
  int32_t matrix = table.kindOf({size, size}, 32);

  Strategies product{strategyOf("([i, k], [k, j])->([i, j]) {i=64, j=64, k=64} reduction={k}")};
  Strategies sum{strategyOf("([i, j], [i, j])->([i, j]) {i=64, j=64}")};
  Strategies transpose{strategyOf("([i, j])->([j, i]) {i=64, j=64}")};

  PlannerTest() {
    product[0].flops = 2.0 * size * size * size;
    product[0].multiplies = true;
    sum[0].commuting = {Commuting(), Commuting()};
    for (Commuting &each : sum[0].commuting)
      each.pass(ReductionKind::sum, Passing::jointly);
    transpose[0].commuting = {Commuting::movesElements()};
  }

  static Strategy strategyOf(std::string_view rule) { return {*ruleFromText(rule)}; }

  /// Returns a layout: split along a dim, or whole for -1.
  int32_t layout(int dim) {
    Sharding sharding = Sharding::replicatedOf(2);
    if (dim >= 0)
      sharding.dims[dim].axes = {wholeAxis(mesh, 0)};
    return table.intern(sharding);
  }

  int32_t source(DecisionGraph &graph, int dim) {
    graph.addNode(graph.addOptions(fixedOption({}, {layout(dim)})), {}, {matrix});
    return graph.numValues() - 1;
  }
  void sink(DecisionGraph &graph, int32_t value, int dim) {
    graph.addNode(graph.addOptions(fixedOption({layout(dim)}, {})), {value}, {});
  }
  int32_t op(DecisionGraph &graph, const Strategies &strategies, std::vector<int32_t> operands) {
    OptionRequest request{strategies, {}, {{matrix}}, {0}, {}};
    request.operands.assign(operands.size(), {matrix});
    graph.addNode(graph.addOptions(*makeOptions(request, table, model)), operands, {matrix});
    return graph.numValues() - 1;
  }

  /// Returns a graph of `numOps` ops. If `isTree`, each value is read once.
  std::unique_ptr<DecisionGraph> random(std::mt19937 &rng, int numOps, bool isTree) {
    auto pick = [&](int count) { return static_cast<int>(rng() % static_cast<unsigned>(count)); };
    auto graph = std::make_unique<DecisionGraph>(table);
    std::vector<int32_t> values;
    auto take = [&]() -> int32_t {
      if (values.empty() || pick(3) == 0)
        return source(*graph, pick(3) - 1);
      size_t at = pick(static_cast<int>(values.size()));
      int32_t value = values[at];
      if (isTree)
        values.erase(values.begin() + static_cast<ptrdiff_t>(at));
      return value;
    };
    for (int i = 0; i < numOps; ++i)
      switch (pick(3)) {
      case 0:
        values.push_back(op(*graph, transpose, {take()}));
        break;
      case 1:
        values.push_back(op(*graph, sum, {take(), take()}));
        break;
      default:
        values.push_back(op(*graph, product, {take(), take()}));
      }
    for (int32_t value : values)
      sink(*graph, value, pick(3) - 1);
    graph->finish();
    return graph;
  }

  /// Returns the cost of the best plan, by trying all.
  double optimum(const DecisionGraph &graph) {
    PlanState state(graph);
    double least = state.total();
    auto next = [&](int32_t n) {
      for (; n < graph.numNodes(); ++n) {
        if (state.option(n) + 1 < graph.optionsOf(n).size()) {
          state.set(n, state.option(n) + 1);
          return true;
        }
        state.set(n, 0);
      }
      return false;
    };
    while (next(0))
      least = std::min(least, state.total());
    return least;
  }
};

TEST_F(PlannerTest, EnumeratesTheSplitsOfAProduct) {
  DecisionGraph graph(table);
  int32_t a = source(graph, -1), b = source(graph, -1);
  op(graph, product, {a, b});
  EXPECT_EQ(graph.optionsOf(2).size(), 4); // None, or along i, j or k.
}

TEST_F(PlannerTest, PassesSharesOfSums) {
  DecisionGraph graph(table);
  int32_t a = source(graph, -1), b = source(graph, -1);
  op(graph, sum, {a, b});
  EXPECT_EQ(graph.optionsOf(2).size(), 4); // None, along i or j, or shares of both operands.
}

TEST_F(PlannerTest, ReducesOnceBehindASumOfProducts) {
  // Both products leave shares; their sum is reduced once.
  DecisionGraph graph(table);
  int32_t a = source(graph, 1), b = source(graph, 0), c = source(graph, 1), d = source(graph, 0);
  int32_t both = op(graph, sum, {op(graph, product, {a, b}), op(graph, product, {c, d})});
  sink(graph, both, -1);
  graph.finish();
  PlanOfOptions plan = decide(graph);
  PlanState state(graph);
  state.setAll(plan.options);
  EXPECT_TRUE(table.isPartial(state.layoutOf(both)));
}

TEST_F(PlannerTest, MovesAValueOnceForAllReaders) {
  DecisionGraph graph(table);
  int32_t a = source(graph, 0);
  for (int i = 0; i < 3; ++i)
    sink(graph, a, 1);
  graph.finish();
  PlanState state(graph);
  EXPECT_DOUBLE_EQ(state.costOfValue(a), table.moveCost(matrix, layout(0), layout(1)));
}

TEST_F(PlannerTest, SharesMatricesOfAlikeEdges) {
  DecisionGraph graph(table);
  int32_t a = source(graph, 0), b = source(graph, 1);
  op(graph, product, {op(graph, product, {a, b}), b});
  int32_t tall = table.kindOf({2 * size, size}, 16), larger = table.kindOf({size, 2 * size}, 32);
  const OptionSet::Side &made = graph.optionsOf(2).sides[2], &read = graph.optionsOf(3).sides[0];
  MoveMatrices matrices(table);
  int32_t number = matrices.numberOf(matrix, made, read);
  EXPECT_EQ(matrices.numberOf(matrix, graph.optionsOf(3).sides[2], read), number);
  EXPECT_EQ(matrices.numberOf(tall, made, read), number); // As many bytes.
  EXPECT_NE(matrices.numberOf(larger, made, read), number);
  const MoveMatrix &costs = matrices[number];
  for (size_t m = 0; m < costs.numMade; ++m)
    for (size_t r = 0; r < costs.numRead; ++r) {
      EXPECT_EQ(costs.byRead[r * costs.numMade + m], costs.cost(m, r));
      EXPECT_FLOAT_EQ(static_cast<float>(costs.cost(m, r)),
                      static_cast<float>(table.moveCost(matrix, made.layouts[m], read.layouts[r])));
    }
}

TEST_F(PlannerTest, BoundsTheCostOfMoves) {
  DecisionGraph graph(table);
  source(graph, 0);
  graph.finish();
  PlanState state(graph);
  std::vector<int32_t> all = {layout(-1), layout(0), layout(1)};
  std::sort(all.begin(), all.end());
  for (int32_t made : all)
    for (int32_t without : all) {
      std::vector<int32_t> wanted = all;
      wanted.erase(std::find(wanted.begin(), wanted.end(), without));
      EXPECT_LE(state.leastCostOfMoves(matrix, made, wanted),
                state.costOfMoves(matrix, made, wanted) * (1 + 1e-9));
    }
}

TEST_F(PlannerTest, DecidesAlikeSegmentsAlike) {
  DecisionGraph graph(table);
  for (int copy = 0; copy < 3; ++copy) {
    int32_t a = source(graph, 0), b = source(graph, 0);
    int32_t sums = op(graph, sum, {op(graph, transpose, {a}), op(graph, transpose, {b})});
    sink(graph, op(graph, transpose, {sums}), 1);
  }
  graph.finish();
  std::vector<int32_t> options = decide(graph).options;
  size_t each = options.size() / 3;
  for (size_t i = each; i < options.size(); ++i)
    EXPECT_EQ(options[i], options[i - each]) << "node " << i;
}

TEST_F(PlannerTest, CountsWantedLayoutsAsOptionsChange) {
  std::mt19937 rng(7);
  auto graph = random(rng, 6, /*isTree=*/false);
  PlanState state(*graph);
  for (int i = 0; i < 200; ++i) {
    auto n = static_cast<int32_t>(rng() % static_cast<unsigned>(graph->numNodes()));
    state.set(n, static_cast<int32_t>(rng() % static_cast<unsigned>(graph->optionsOf(n).size())));
  }
  PlanState fresh(*graph);
  fresh.setAll(state.options());
  EXPECT_DOUBLE_EQ(state.total(), fresh.total());
}

TEST_F(PlannerTest, IsOptimalOnTrees) {
  std::mt19937 rng(1);
  for (int i = 0; i < 150; ++i) {
    auto graph = random(rng, 6, /*isTree=*/true);
    EXPECT_LE(decide(*graph).cost, optimum(*graph) * (1 + 1e-9)) << "graph " << i;
  }
}

TEST_F(PlannerTest, IsNearTheOptimumOfGraphs) {
  std::mt19937 rng(2);
  int near = 0, all = 150;
  for (int i = 0; i < all; ++i) {
    auto graph = random(rng, 6, /*isTree=*/false);
    double ratio = decide(*graph).cost / optimum(*graph);
    EXPECT_GE(ratio, 1 - 1e-9) << "graph " << i;
    EXPECT_LE(ratio, 1.05) << "graph " << i;
    near += ratio <= 1.01 ? 1 : 0;
  }
  EXPECT_GE(near, all * 95 / 100);
}

TEST_F(PlannerTest, DecidesTheSameEachTime) {
  std::mt19937 rng(3);
  auto graph = random(rng, 12, /*isTree=*/false);
  EXPECT_EQ(decide(*graph).options, decide(*graph).options);
}

} // namespace
