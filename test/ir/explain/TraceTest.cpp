#include "spmd/ir/explain/Trace.h"
#include "spmd/test/ir/explain/Told.h"

namespace spmd {
namespace {

using Kind = Link::Kind;

/// Returns the chain as "annotation 0:0, step 0 0:0->2:0": ops and places by number.
std::string text(const std::vector<Link> &chain) {
  const char *const names[] = {"annotation", "inferred", "step",    "tie",
                               "hint",       "decision", "donation"};
  std::string all;
  auto place = [](ValueDim dim) {
    return std::to_string(dim.value) + ":" + std::to_string(dim.dim);
  };
  for (const Link &link : chain) {
    all += all.empty() ? "" : ", ";
    all += names[static_cast<int>(link.kind)];
    if (link.kind == Kind::step || link.kind == Kind::tie)
      all += " " + std::to_string(link.op) + " " + place(link.from) + "->";
    else
      all += " ";
    all += place(link.to);
  }
  return all;
}

constexpr int32_t x = 0, y = 1; // Axes of the mesh.

class Traced : public ToldLayers {
public:
  std::vector<Link> chain(ValueDim place, int32_t axis) {
    Past past(graph, history);
    std::vector<bool> isFree = noneFree();
    return Tracer(past, isFree).chainOf(place, wholeAxis(mesh, axis));
  }
  ValueDim root(ValueDim place, int32_t axis) {
    Past past(graph, history);
    std::vector<bool> isFree = noneFree();
    return Tracer(past, isFree).rootOf(place, wholeAxis(mesh, axis));
  }
};

TEST(Trace, AnAnnotationIsAChainOfItsOwn) {
  Traced told;
  told.run();
  EXPECT_EQ(text(told.chain({told.rows, 0}, x)), "annotation 0:0");
}

TEST(Trace, FollowsStepsBackToTheAnnotation) {
  Traced told;
  told.run();
  EXPECT_EQ(text(told.chain({told.result, 0}, x)),
            "annotation 0:0, step 0 0:0->2:0, step 1 2:0->3:0, step 2 3:0->5:0");
  EXPECT_EQ(text(told.chain({told.second, 0}, y)),
            "annotation 1:1, step 0 1:1->2:1, step 1 2:1->3:1, step 2 3:1->4:0");
}

TEST(Trace, SaysOnWhichFactorAStepWent) {
  Traced told;
  told.run();
  std::vector<Link> chain = told.chain({told.second, 0}, y);
  EXPECT_EQ(chain[1].factor, FactorKind::pass);
  EXPECT_EQ(chain.back().factor, FactorKind::reduce);
}

TEST(Trace, RootsAreTheFirstOfTheChain) {
  Traced told;
  told.run();
  for (int32_t v = 0; v < told.graph.numValues(); ++v) {
    const Sharding &sharding = told.graph.sharding(told.graph.value(v).sharding).sharding;
    for (int32_t d = 0; d < static_cast<int32_t>(sharding.dims.size()); ++d)
      for (const AxisRef &axis : sharding.dims[d].axes) {
        Past past(told.graph, told.history);
        std::vector<bool> isFree = told.noneFree();
        Tracer tracer(past, isFree);
        EXPECT_EQ(tracer.rootOf({v, d}, axis), tracer.chainOf({v, d}, axis).front().to);
      }
  }
}

/// What was there before and is no pin is the outcome of an earlier run.
TEST(Trace, TellsAnOutcomeFromAnAnnotation) {
  Traced told;
  told.run();
  told.history = {};
  EXPECT_EQ(text(told.chain({told.result, 0}, x)), "inferred 5:0");
  EXPECT_EQ(text(told.chain({told.first, 1}, y)), "annotation 1:1");
}

TEST(Trace, AHintAndADonationAreTold) {
  Traced told;
  int32_t state = told.value({8, 16}), next = told.value({8, 16});
  told.note(state, told.spec(R"([{"x", ?}, {?}])"), Change::Cause::hint);
  told.note(next, told.spec(R"([{"x", ?}, {?}])"), Change::Cause::donation, state);
  EXPECT_EQ(text(told.chain({next, 0}, x)), "hint 6:0, donation 7:0");
}

/// The larger tensor decides what a factor is split along; the other is named as the rival.
TEST(Trace, NamesWhatLost) {
  ToldGraph told;
  int32_t small = told.value({8, 16}, R"([{"x"}, {}])");
  int32_t large = told.value({16, 64}, R"([{}, {"x"}])");
  int32_t result = told.value({8, 64});
  int32_t op =
      told.op("([i, k], [k, j])->([i, j]) {i=8, j=64, k=16} reduction={k}", {small, large}, result);
  EXPECT_TRUE(told.step(op));
  Past past(told.graph, told.history);
  std::vector<bool> isFree = told.noneFree();
  std::vector<Link> chain = Tracer(past, isFree).chainOf({result, 1}, wholeAxis(told.mesh, x));
  EXPECT_EQ(text(chain), "annotation 1:1, step 0 1:1->2:1");
  ASSERT_EQ(chain.back().rivals.size(), 1u);
  const Rival &rival = chain.back().rivals.front();
  EXPECT_EQ(rival.from, (ValueDim{small, 0}));
  EXPECT_EQ(rival.dim, 0);
  EXPECT_EQ(rival.bytes, 8 * 16 * 4);
  EXPECT_EQ(rival.winnerBytes, 16 * 64 * 4);
  EXPECT_FALSE(rival.isLater);
}

/// Ways that no step took: through dims that share factors, by the shortest.
TEST(Ties, LeadFromAnnotationsToDims) {
  ToldLayers told;
  Past past(told.graph, told.history);
  std::vector<bool> isFree = told.noneFree();
  AnnotationWays ways(past, isFree, 0, y);
  std::vector<Tie> way = ways.wayTo({told.second, 0});
  ASSERT_EQ(way.size(), 3u);
  EXPECT_EQ(way.front().from, (ValueDim{told.first, 1}));
  EXPECT_EQ(way.back().to, (ValueDim{told.second, 0}));
  for (size_t i = 1; i < way.size(); ++i)
    EXPECT_EQ(way[i].from, way[i - 1].to);
  EXPECT_TRUE(ways.wayTo({told.first, 1}).empty());
  EXPECT_TRUE(ways.wayTo({told.second, 1}).empty());
}

} // namespace
} // namespace spmd
