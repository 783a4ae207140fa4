#include "spmd/ir/classes/Support.h"

#include "spmd/test/ir/classes/Graphs.h"

namespace spmd {
namespace {

/// A graph with shardings that were inferred.
struct Inferred : GraphText {
  int32_t inferred(const ShardGraph::Shape &shape, const std::string &sharding) {
    int32_t index = value(shape);
    set(index, sharding, ShardingState::inferred);
    return index;
  }
  void elementwise(int32_t operand, int32_t result) {
    op("([i, j])->([i, j]) {i=16, j=64}", {operand}, result);
  }
  std::vector<int32_t> drop(const std::vector<int32_t> &decided = {},
                            const std::vector<int32_t> &free = {}) {
    auto only = [&](const std::vector<int32_t> &values) {
      std::vector<bool> is(graph.numValues(), false);
      for (int32_t v : values)
        is[v] = true;
      return is;
    };
    return dropUnsupported(graph, ValueUses(graph), only(free), only(decided), nullptr);
  }
};

TEST(SupportTest, WhatLeadsToAPinStays) {
  Inferred text;
  int32_t first = text.inferred({16, 64}, R"([{"x", ?}, {"y", ?}])"),
          middle = text.inferred({16, 64}, R"([{"x", ?}, {"y", ?}])"),
          last = text.value({16, 64}, R"([{"x"}, {"y"}])");
  text.elementwise(first, middle);
  text.elementwise(middle, last);
  EXPECT_TRUE(text.drop().empty());
}

// Each has what the other has, and nothing else has it.
TEST(SupportTest, ValuesDoNotSupportEachOther) {
  Inferred text;
  int32_t pinned = text.value({16, 64}, R"([{"x"}, {}])"),
          first = text.inferred({16, 64}, R"([{"x", ?}, {"y", ?}])"),
          second = text.inferred({16, 64}, R"([{"x", ?}, {"y", ?}])");
  text.elementwise(pinned, first);
  text.elementwise(first, second);
  text.elementwise(second, first);
  EXPECT_EQ(text.drop(), (std::vector<int32_t>{first, second}));
  EXPECT_EQ(text.at(first), R"([{"x", ?}, {?}])");
  EXPECT_EQ(text.at(second), R"([{"x", ?}, {?}])");
}

// An axis comes along the factor that both dims have, and along no other. Of what has none left
// nothing is known, so that it may learn on another mesh.
TEST(SupportTest, AxesComeAlongFactors) {
  Inferred text;
  int32_t rows = text.value({16, 64}, R"([{}, {"x"}])"),
          weights = text.inferred({64, 32}, R"([{"x", ?}, {"y", ?}])"),
          product = text.inferred({16, 32}, R"([{"x", ?}, {"y", ?}])");
  text.op("([i, k], [k, j])->([i, j]) {i=16, j=32, k=64} reduction={k}", {rows, weights}, product);
  EXPECT_EQ(text.drop(), (std::vector<int32_t>{weights, product}));
  EXPECT_EQ(text.at(weights), R"([{"x", ?}, {?}])");
  EXPECT_EQ(text.at(product), "");
}

TEST(SupportTest, DecisionsSupportAndFreeValuesDoNot) {
  Inferred text;
  int32_t one = text.inferred({16, 64}, R"([{"x", ?}, {?}])"),
          other = text.inferred({16, 64}, R"([{"x", ?}, {?}])");
  text.elementwise(one, other);
  EXPECT_TRUE(text.drop(/*decided=*/{other}).empty());
  EXPECT_EQ(text.drop(/*decided=*/{}, /*free=*/{other}), (std::vector<int32_t>{one}));
  EXPECT_EQ(text.at(one), "");
  EXPECT_EQ(text.graph.value(one).state, ShardingState::unspecified);
}

// Of parts of two axes that came by turns, those of one have nothing that asks for them: those of
// the other are one axis then.
TEST(SupportTest, PartsThatComeTogetherAreOneAxis) {
  Inferred text;
  int32_t pinned = text.value({16, 64}, R"([{"y"}, {}])"),
          learnt = text.inferred({16, 64}, R"([{"y":(1)2, "x", "y":(2)2, ?}, {?}])");
  text.elementwise(pinned, learnt);
  EXPECT_EQ(text.drop(), (std::vector<int32_t>{learnt}));
  EXPECT_EQ(text.at(learnt), R"([{"y", ?}, {?}])");
}

// Support that turns up behind an op comes back through it.
TEST(SupportTest, OrderOfOpsDoesNotMatter) {
  for (bool isBackward : {false, true}) {
    Inferred text;
    std::vector<int32_t> line = {text.value({16, 64}, R"([{"x"}, {}])")};
    for (int i = 0; i < 5; ++i)
      line.push_back(text.inferred({16, 64}, R"([{"x", ?}, {?}])"));
    if (isBackward)
      std::reverse(line.begin(), line.end());
    for (size_t i = 0; i + 1 < line.size(); ++i)
      text.elementwise(line[i], line[i + 1]);
    EXPECT_TRUE(text.drop().empty());
  }
}

} // namespace
} // namespace spmd
