#include "spmd/ir/classes/Trial.h"

#include "spmd/test/ir/classes/Graphs.h"

#include <random>

namespace spmd {
namespace {

/// A graph of products, elementwise ops and constraints between values that were there before, some
/// of them in loops, with shardings here and there.
struct RandomGraph : GraphText {
  explicit RandomGraph(int seed) : random(seed) {
    const char *pins[] = {R"([{"x"}, {}])", R"([{}, {"x"}])", R"([{"y"}, {"x"}])",
                          R"([{"x", "y"}, {}])"};
    for (const char *pin : pins)
      all.push_back(value({64, 64}, pin));
    for (int i = 0; i < 30; ++i)
      add();
  }

private:
  int32_t pick() { return all[random() % all.size()]; }

  void add() {
    const char *inferred[] = {R"([{"x", ?}, {?}])", R"([{?}, {"x", ?}])", R"([{?}, {"y", ?}])"};
    int32_t result = value({64, 64});
    if (random() % 2)
      set(result, inferred[random() % std::size(inferred)], ShardingState::inferred);
    if (random() % 6 == 0)
      constrain(result, pick());
    else if (random() % 3 == 0)
      op("([i, k], [k, j])->([i, j]) {i=64, j=64, k=64} reduction={k}", {pick(), pick()}, result);
    else
      op("([i, j], [i, j])->([i, j]) {i=64, j=64}", {pick(), pick()}, result);
    if (random() % 4 == 0)
      graph.value(result).turns = graph.op(graph.numOps() - 1).turns = 5;
    all.push_back(result);
  }

  /// Some are read once, some more often, some by another constraint.
  void constrain(int32_t result, int32_t operand) {
    const char *pins[] = {R"([{"x"}, {"y"}])", R"([{}, {"x"}])", "[{}, {}]"};
    set(result, pins[random() % std::size(pins)], ShardingState::pinned);
    op("([i, j])->([i, j]) {i=64, j=64}", {operand}, result);
    graph.addPlacement(graph.numOps() - 1);
  }

  std::mt19937 random;
  std::vector<int32_t> all;
};

/// What a trial says of a candidate is what the plan costs more once the group follows it.
TEST(TrialTest, ForetellsWhatAChangeCosts) {
  int numCompared = 0;
  for (int seed = 0; seed < 40; ++seed) {
    RandomGraph text(seed);
    ValueUses uses(text.graph);
    std::vector<bool> isFree = text.noneFree();
    DimClasses classes(text.graph, isFree);
    PlanCost cost(text.graph, isFree, uses);
    Targets targets(text.graph, classes, cost);
    Trial trial(text.graph, isFree, uses, cost);
    double total = cost.total();
    ConflictGroups groups = findConflictGroups(text.graph, classes, isFree, uses);
    for (size_t g = 0; g < groups.size(); ++g) {
      targets.start(groups, groups[g]);
      trial.start(groups, groups[g], targets);
      for (const Candidate &candidate : candidatesOf(groups[g].numLabels, groups[g].hasOrders)) {
        if (!targets.choose(candidate))
          continue;
        std::vector<LayoutChange> there, back;
        for (int32_t m = 0; m < groups[g].numMembers; ++m) {
          int32_t value = groups.member(groups[g], m).value;
          there.push_back({value, targets.of(m).layout});
          back.push_back({value, targets.now(m).layout});
        }
        double foretold = trial.change(targets);
        EXPECT_NEAR(foretold, cost.change(there), 1e-9 * total) << "seed " << seed;
        EXPECT_NEAR(-foretold, cost.change(back), 1e-9 * total) << "seed " << seed;
        ++numCompared;
      }
    }
  }
  EXPECT_GT(numCompared, 100);
}

} // namespace
} // namespace spmd
