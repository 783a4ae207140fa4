#include "spmd/ir/classes/ConflictGroups.h"

#include "spmd/test/ir/classes/Graphs.h"

namespace spmd {
namespace {

ConflictGroups groupsOf(const GraphText &text) {
  std::vector<bool> isFree = text.noneFree();
  return findConflictGroups(text.graph, DimClasses(text.graph, isFree), isFree,
                            ValueUses(text.graph));
}

TEST(ConflictGroupsTest, ConnectedTensorsAreFoundTogether) {
  TwoLayers text(16);
  ConflictGroups groups = groupsOf(text);
  ASSERT_EQ(groups.size(), 1u);
  EXPECT_EQ(groups[0].axis, 0);
  EXPECT_EQ(groups[0].numLabels, 2);
  ASSERT_EQ(groups[0].numMembers, 2);
  GroupMember hidden = groups.member(groups[0], 0), active = groups.member(groups[0], 1);
  EXPECT_EQ(hidden.value, text.hidden);
  EXPECT_EQ(active.value, text.active);
  for (int dim : {0, 1})
    EXPECT_EQ(hidden.dims[dim].label, active.dims[dim].label);
}

TEST(ConflictGroupsTest, ATensorThatHasWhatItWantsIsInNone) {
  GraphText text;
  int32_t a = text.value({8, 4}, R"([{"x"}, {}])"), r = text.value({8, 4});
  text.op("([i, j])->([i, j]) {i=8, j=4}", {a}, r);
  EXPECT_EQ(groupsOf(text).size(), 1u); // It wants "x" and does not have it.
  text.set(r, R"([{"x", ?}, {?}])", ShardingState::inferred);
  EXPECT_TRUE(groupsOf(text).empty());
}

TEST(ConflictGroupsTest, PartsOfAnAxisOnTwoDimsAreNoConflict) {
  GraphText text;
  int32_t a = text.value({8, 4}, R"([{"y":(2)2, ?}, {"y":(1)2, ?}])"), r = text.value({8, 4});
  text.op("([i, j])->([i, j]) {i=8, j=4}", {a}, r);
  text.set(r, R"([{"y":(2)2, ?}, {?}])", ShardingState::inferred);
  EXPECT_EQ(groupsOf(text).size(), 1u); // One dim has what it wants, the other has not.
  text.set(r, R"([{"y":(2)2, ?}, {"y":(1)2, ?}])", ShardingState::inferred);
  EXPECT_TRUE(groupsOf(text).empty());
}

// Each of the axes has another order to offer.
TEST(ConflictGroupsTest, AxesOfADimInAnotherOrderAreAConflict) {
  GraphText text;
  int32_t a = text.value({16, 4}, R"([{"x", "y"}, {}])"), r = text.value({16, 4});
  text.op("([i, j])->([i, j]) {i=16, j=4}", {a}, r);
  text.set(r, R"([{"y", "x", ?}, {?}])", ShardingState::inferred);
  EXPECT_EQ(groupsOf(text).size(), 2u);
  text.set(r, R"([{"x", "y", ?}, {?}])", ShardingState::inferred);
  EXPECT_TRUE(groupsOf(text).empty());
}

TEST(ConflictGroupsTest, TheHigherPriorityIsNoConflict) {
  GraphText text;
  int32_t a = text.value({8, 3}, R"([{"x"}p0, {}])"), b = text.value({3, 4}, R"([{}, {"x"}p1])");
  int32_t r = text.value({8, 4});
  text.op("([i, k], [k, j])->([i, j]) {i=8, j=4, k=3} reduction={k}", {a, b}, r);
  ConflictGroups groups = groupsOf(text);
  ASSERT_EQ(groups.size(), 1u); // It has no axis yet.
  ASSERT_EQ(groups.member(groups[0], 0).dims.size(), 1u);
  EXPECT_EQ(groups.member(groups[0], 0).dims[0].dim, 0);
  text.set(r, R"([{"x", ?}, {?}])", ShardingState::inferred);
  EXPECT_TRUE(groupsOf(text).empty());
}

TEST(ConflictGroupsTest, TwoDimsOfOneTensorHaveTwoLabels) {
  GraphText text;
  int32_t a = text.value({8, 4}, R"([{"x"}, {}])"), q = text.value({8, 4}), s = text.value({8, 8});
  text.op("([i, j])->([i, j]) {i=8, j=4}", {a}, q);
  text.op("([i, k], [j, k])->([i, j]) {i=8, j=8, k=4} reduction={k}", {q, q}, s);
  ConflictGroups groups = groupsOf(text);
  ASSERT_EQ(groups.size(), 1u);
  GroupMember scores = groups.member(groups[0], groups[0].numMembers - 1);
  ASSERT_EQ(scores.value, s);
  ASSERT_EQ(scores.dims.size(), 2u);
  EXPECT_NE(scores.dims[0].label, scores.dims[1].label);
}

TEST(ConflictGroupsTest, LayersAlikeHaveOneSignature) {
  GraphText text;
  for (int64_t size : {16, 16, 32}) {
    int32_t a = text.value({size, 1}, R"([{"x"}, {}])"), b = text.value({1, 8}, R"([{}, {"x"}])");
    int32_t r = text.value({size, 8});
    std::string i = std::to_string(size);
    text.op("([i, k], [k, j])->([i, j]) {i=" + i + ", j=8, k=1} reduction={k}", {a, b}, r);
  }
  ConflictGroups groups = groupsOf(text);
  ASSERT_EQ(groups.size(), 3u);
  EXPECT_EQ(groups[0].signature, groups[1].signature);
  EXPECT_NE(groups[0].signature, groups[2].signature);
}

} // namespace
} // namespace spmd
