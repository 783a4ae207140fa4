#include "spmd/ir/rules/Restrict.h"

#include "spmd/ir/sharding/Spec.h"

#include <gtest/gtest.h>

namespace spmd {
namespace {

std::string restricted(const std::string &own, const std::string &user) {
  OpRule rule = *ruleFromText(own);
  restrictTo(rule, *ruleFromText(user));
  return rule.str();
}

const std::string product = "([i, k], [k, j])->([i, j]) {i=8, j=6, k=4}";

TEST(RestrictTest, WhatTheUserSaysAlikeStaysOurs) {
  EXPECT_EQ(restricted(product + " reduction={k}", product + " reduction={k}, custom"),
            product + " reduction={k}");
}

TEST(RestrictTest, WholeAndBlockedFactorsAreTheUsers) {
  EXPECT_EQ(restricted(product + " reduction={k}",
                       product + " need_replication={k} blocked_propagation={j}, custom"),
            product + " need_replication={k} blocked_propagation={j}, custom");
}

TEST(RestrictTest, NothingPassesBetweenDimsThatTheUserKeepsApart) {
  EXPECT_EQ(
      restricted("([i, j])->([i, j]) {i=8, j=6}", "([i, j])->([k, j]) {i=8, j=6, k=8}, custom"),
      "([i, j])->([i, j]) {i=8, j=6} blocked_propagation={i}, custom");
}

TEST(RestrictTest, TheUserCannotTieMore) {
  EXPECT_EQ(
      restricted("([i, j])->([k, j]) {i=8, j=6, k=8}", "([i, j])->([i, j]) {i=8, j=6}, custom"),
      "([i, j])->([k, j]) {i=8, j=6, k=8}");
}

TEST(RestrictTest, PartsOfADimAreFoundByTheirSizes) {
  // 24 rows are 2 x 3 x 4 here and 6 x 4 there.
  EXPECT_EQ(restricted("([ijk])->([i, j, k]) {i=2, j=3, k=4}",
                       "([ijk])->([i, j, k]) {i=2, j=3, k=4} need_replication={j}, custom"),
            "([ijk])->([i, j, k]) {i=2, j=3, k=4} need_replication={j}, custom");
  EXPECT_EQ(restricted("([ij])->([i, j]) {i=6, j=4}",
                       "([ijk])->([ij, k]) {i=2, j=3, k=4} blocked_propagation={k}, custom"),
            "([ij])->([i, j]) {i=6, j=4} blocked_propagation={j}, custom");
  EXPECT_EQ(
      restricted("([ij])->([i, j]) {i=6, j=4}", "([ij])->([k, l]) {i=3, j=8, k=6, l=4}, custom"),
      "([ij])->([i, j]) {i=6, j=4} blocked_propagation={i, j}, custom");
}

TEST(RestrictTest, OnlyFactorsThatAnythingIsTakenFromAreTheUsers) {
  OpRule rule = *ruleFromText(product + " reduction={k}");
  restrictTo(rule,
             *ruleFromText(product + " need_replication={k} blocked_propagation={j}, custom"));
  std::vector<bool> custom;
  for (const Factor &factor : rule.factors)
    custom.push_back(factor.custom);
  EXPECT_EQ(custom, std::vector<bool>({false, true, true}));
}

TEST(RestrictTest, FactorsOfOneMayStandAnywhere) {
  EXPECT_EQ(restricted("([ij])->([i, j]) {i=6, j=4}", "([ikj])->([i, kj]) {i=6, j=4, k=1}, custom"),
            "([ij])->([i, j]) {i=6, j=4}");
  EXPECT_EQ(restricted("([ijk])->([i, j, k]) {i=6, j=1, k=4}",
                       "([ij])->([i, k, j]) {i=6, j=4, k=1} blocked_propagation={j}, custom"),
            "([ijk])->([i, j, k]) {i=6, j=1, k=4} blocked_propagation={k}, custom");
}

} // namespace
} // namespace spmd
