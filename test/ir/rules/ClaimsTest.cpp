#include "spmd/ir/rules/Claims.h"

#include "spmd/ir/sharding/Spec.h"

#include <gtest/gtest.h>

namespace spmd {
namespace {

/// Returns what `user` claims beyond `known`, "nothing" if that is nothing.
std::string claimed(const std::string &user, std::initializer_list<std::string> known) {
  std::vector<Strategy> strategies;
  for (const std::string &text : known)
    strategies.push_back({*ruleFromText(text), {}, {}, 0});
  std::optional<OpRule> claims = claimsBeyond(*ruleFromText(user), strategies);
  return claims ? claims->str() : "nothing";
}

const std::string product = "([i, k], [k, j])->([i, j]) {i=8, j=6, k=4}";

TEST(ClaimsTest, WhatIsKnownOrTakenAwayIsNoClaim) {
  EXPECT_EQ(claimed(product + " reduction={k}, custom", {product + " reduction={k}"}), "nothing");
  EXPECT_EQ(claimed(product + " need_replication={k} blocked_propagation={j}, custom",
                    {product + " reduction={k}"}),
            "nothing");
  EXPECT_EQ(claimed("([i, j])->([i, k]) {i=8, j=6, k=6}", {"([i, j])->([i, j]) {i=8, j=6}"}),
            "nothing");
  // How its shares become one is the op's.
  EXPECT_EQ(claimed("([i, j])->([i]) {i=8, j=6} reduction={j}",
                    {"([i, j])->([i]) {i=8, j=6} need_replication={j}"}),
            "nothing");
}

TEST(ClaimsTest, OtherDimsAreClaimed) {
  EXPECT_EQ(claimed("([i, j])->([j, i]) {i=8, j=8}, custom", {"([i, j])->([i, j]) {i=8, j=8}"}),
            "([i, j])->([j, i]) {i=8, j=8}, custom");
  EXPECT_EQ(
      claimed("([i, j], [])->([j]) {i=8, j=8}", {"([i, j], [])->([i]) {i=8, j=8} reduction={j}"}),
      "([i, j], [])->([j]) {i=8, j=8} need_replication={i}");
  // Nothing is known of the columns.
  EXPECT_EQ(claimed("([i, j])->([i, j]) {i=8, j=6}", {"([i, j])->([i, k]) {i=8, j=6, k=6}"}),
            "([i, j])->([i, j]) {i=8, j=6} need_replication={i}");
}

TEST(ClaimsTest, ASumOfWhatResultsHaveIsClaimed) {
  EXPECT_EQ(claimed("([i, j])->([i, k]) {i=8, j=6, k=6} reduction={j}",
                    {"([i, j])->([i, j]) {i=8, j=6}"}),
            "([i, j])->([i, k]) {i=8, j=6, k=6} reduction={j} need_replication={i, k}");
}

TEST(ClaimsTest, OneOfSeveralStrategiesIsEnough) {
  EXPECT_EQ(claimed("([i, j])->([i, j]) {i=8, j=6}",
                    {"([i, j])->([i, k]) {i=8, j=6, k=6}", "([i, j])->([k, j]) {i=8, j=6, k=8}"}),
            "nothing");
}

TEST(ClaimsTest, PartsOfADimAreFoundByTheirSizes) {
  EXPECT_EQ(claimed("([ij])->([i, j]) {i=6, j=4}", {"([ijk])->([ij, k]) {i=2, j=3, k=4}"}),
            "nothing");
  EXPECT_EQ(claimed("([ij])->([i, j]) {i=4, j=4}", {"([ij])->([j, i]) {i=4, j=4}"}),
            "([ij])->([i, j]) {i=4, j=4}");
  // The first half is a part of what is known, and reaches across nothing.
  EXPECT_EQ(claimed("([ij])->([i, j]) {i=2, j=12}", {"([ij])->([i, j]) {i=6, j=4}"}),
            "([ij])->([i, j]) {i=2, j=12}");
  // Where a dim has one factor each, sizes may differ, as in a slice.
  EXPECT_EQ(claimed("([i])->([i]) {i=8}", {"([i])->([i]) {i=7}"}), "nothing");
  EXPECT_EQ(claimed("([ij])->([i]) {i=8, j=1}", {"([i])->([ji]) {i=8, j=1}"}), "nothing");
}

} // namespace
} // namespace spmd
