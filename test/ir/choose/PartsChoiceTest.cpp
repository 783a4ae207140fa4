#include "spmd/ir/choose/Choose.h"

#include "spmd/ir/sharding/Spec.h"

#include <gtest/gtest.h>

namespace spmd {
namespace {

/// A value that passes a barrier: how it lies, and how it should lie behind it.
struct Passing {
  std::vector<int64_t> shape;
  std::string before, behind;
};

/// Values that pass one barrier together on the mesh "x"=2, "y"=4.
class Barrier {
public:
  explicit Barrier(std::vector<Passing> passing) : passing(std::move(passing)) {
    for (const Passing &each : this->passing) {
      shardings.push_back(std::make_unique<MeshSharding>(lies(each.before)));
      operands.push_back({each.shape, 32, shardings.back().get()});
      shardings.push_back(std::make_unique<MeshSharding>(lies(each.behind)));
      results.push_back({each.shape, 32, shardings.back().get()});
    }
  }

  Choice choose() {
    RuleBuilder builder(passing.size(), passing.size());
    for (size_t i = 0; i < passing.size(); ++i)
      for (size_t d = 0; d < passing[i].shape.size(); ++d) {
        int32_t factor = builder.factor(passing[i].shape[d]);
        builder.operand(i, d, {factor}).result(i, d, {factor});
      }
    Strategies strategies(1);
    strategies.front().rule = builder.take();
    ReshardCosts costs([this](int32_t) -> const Mesh & { return mesh; }, CostModel{});
    return spmd::choose(strategies, operands, results, costs);
  }

private:
  MeshSharding lies(const std::string &text) const {
    return {0, *resolve(mesh, *shardingFromText(text))};
  }

  Mesh mesh = *meshFromText("<[\"x\"=2, \"y\"=4]>");
  std::vector<Passing> passing;
  std::vector<std::unique_ptr<MeshSharding>> shardings;
  std::vector<TensorSituation> operands, results;
};

/// More kinds of values than are remembered, each several times, in an order that has them
/// forgotten in between.
TEST(PartsChoiceTest, EachPartIsDecidedAsIfItWereAlone) {
  const std::string layouts[] = {R"([{}, {}])", R"([{"x"}, {}])", R"([{}, {"x"}])",
                                 R"([{"y"}, {"x"}])"};
  std::vector<Passing> all;
  for (int repeat = 0; repeat < 3; ++repeat)
    for (int64_t rows : {64, 32})
      for (const std::string &before : layouts)
        for (const std::string &behind : layouts)
          for (int times = 0; times <= repeat; ++times)
            all.push_back({{rows, 64}, before, behind});
  Choice together = Barrier(all).choose();
  ASSERT_EQ(together.operands.size(), all.size());
  double cost = 0;
  for (size_t i = 0; i < all.size(); ++i) {
    Choice alone = Barrier({all[i]}).choose();
    cost += alone.cost;
    EXPECT_EQ(together.operands[i], alone.operands[0]) << i;
    EXPECT_EQ(together.results[i], alone.results[0]) << i;
    for (size_t d = 0; d < 2; ++d)
      EXPECT_EQ(together.factorAxes[2 * i + d], alone.factorAxes[d]) << i;
  }
  EXPECT_NEAR(together.cost, cost, 1e-9 * cost);
}

} // namespace
} // namespace spmd
