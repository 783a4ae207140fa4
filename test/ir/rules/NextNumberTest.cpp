#include "spmd/ir/rules/NextNumber.h"

#include <gtest/gtest.h>

namespace spmd {
namespace {

/// How many of a sequence are guessed right, played `times` times.
int numRight(NextNumber &next, const std::vector<int32_t> &sequence, int times) {
  int right = 0;
  for (int i = 0; i < times; ++i)
    for (int32_t number : sequence) {
      right += next.guess() == number;
      next.came(number);
    }
  return right;
}

TEST(NextNumberTest, WhatRepeatsItselfIsGuessed) {
  NextNumber next;
  next.reserve(100);
  std::vector<int32_t> layer = {1, 2, 3, 1, 4, 5, 6, 1, 2, 3, 7, 8}; // After 1 comes 2, 4 or 2.
  numRight(next, layer, 2); // Before the second one came something else than before the first.
  EXPECT_EQ(numRight(next, layer, 5), 60);
}

TEST(NextNumberTest, NothingIsGuessedAtFirstNorAfterClearing) {
  NextNumber next;
  EXPECT_EQ(next.guess(), NextNumber::none);
  next.came(0);
  next.clear();
  EXPECT_EQ(next.guess(), NextNumber::none);
  for (size_t count = 1; count < (1U << 20); count *= 2) // There is an end to the room it takes.
    next.reserve(count);
  EXPECT_EQ(next.guess(), NextNumber::none);
  EXPECT_GT(numRight(next, {0, 1, 2}, 100), 290);
}

} // namespace
} // namespace spmd
