// Sorting in parts against sorting as a whole, row by row.
#include "spmd/ir/reshard/SortExchange.h"

#include "gtest/gtest.h"

#include <algorithm>
#include <numeric>
#include <random>

namespace spmd {
namespace {

using Rows = std::vector<int64_t>;
using Shards = std::vector<Rows>;

/// Stands for a row that does not exist.
constexpr int64_t last = INT64_MAX;

void sortAll(Shards &shards) {
  for (Rows &shard : shards)
    std::sort(shard.begin(), shard.end());
}

/// Row r of each shard goes to shard r mod k, those of the first shard first.
Shards dealt(const Shards &shards) {
  Shards result(shards.size());
  for (const Rows &shard : shards)
    for (size_t r = 0; r < shard.size(); ++r)
      result[r % shards.size()].push_back(shard[r]);
  return result;
}

/// Returns what `dealt` was made of, in one line.
Rows dealtBack(const Shards &shards) {
  size_t k = shards.size(), block = shards[0].size();
  Rows result;
  for (size_t i = 0; i < k * block; ++i)
    result.push_back(shards[i % k][i / k]);
  return result;
}

/// Returns the rows as they stand before the halo is read.
Rows exchanged(const SortedDim &dim, const Rows &rows) {
  Shards shards(dim.shards);
  for (int64_t i = 0; i < dim.shards; ++i)
    for (int64_t r = 0; r < dim.dealtBlock(); ++r) {
      int64_t row = i * dim.block() + r;
      shards[i].push_back(r < dim.block() && row < dim.size ? rows[row] : last);
    }
  sortAll(shards);
  shards = dealt(shards);
  sortAll(shards);
  return dealtBack(shards);
}

/// Returns the shard of device `i`, out of what its window reads.
Rows keptBy(const SortedDim &dim, const Rows &line, int64_t i) {
  WindowedDim window = dim.window();
  Rows read;
  for (int64_t row = window.first(i); row < window.first(i) + window.length(); ++row)
    read.push_back(row < 0 ? -1 : row < static_cast<int64_t>(line.size()) ? line[row] : last);
  std::sort(read.begin(), read.end());
  return {read.begin() + dim.reach(), read.begin() + dim.reach() + dim.block()};
}

void expectSorted(const SortedDim &dim, Rows rows) {
  Rows line = exchanged(dim, rows);
  std::sort(rows.begin(), rows.end());
  rows.resize(dim.block() * dim.shards, last);
  for (int64_t i = 0; i < dim.shards; ++i) {
    Rows expected(rows.begin() + i * dim.block(), rows.begin() + (i + 1) * dim.block());
    ASSERT_EQ(keptBy(dim, line, i), expected) << dim.size << " rows, " << dim.shards << " shards";
  }
}

TEST(SortExchange, SortsWhatIsShuffled) {
  std::mt19937 generator(7);
  for (int64_t shards = 1; shards <= 9; ++shards)
    for (int64_t size : {1, 2, 7, 31, 64, 200, 999}) {
      Rows rows(size);
      std::iota(rows.begin(), rows.end(), 0);
      for (int turn = 0; turn < 20; ++turn) {
        std::shuffle(rows.begin(), rows.end(), generator);
        expectSorted({size, shards}, rows);
      }
    }
}

// Rows of two kinds decide whether any rows are sorted: shards with every number of small ones.
TEST(SortExchange, SortsRowsOfTwoKinds) {
  std::mt19937 generator(11);
  for (int64_t shards : {2, 3, 4, 5, 8})
    for (int turn = 0; turn < 500; ++turn) {
      int64_t block = shards * (1 + turn % 5);
      Rows rows;
      for (int64_t i = 0; i < shards; ++i) {
        auto small = static_cast<int64_t>(generator() % (block + 1));
        for (int64_t r = 0; r < block; ++r)
          rows.push_back(r < small ? 0 : 1);
      }
      expectSorted({block * shards, shards}, rows);
    }
}

// A row at the largest distance from where it belongs: each shard has one row too many to be dealt
// out evenly, so that the small rows fill one row more of the first devices.
TEST(SortExchange, ReachesNoFurtherThanNeeded) {
  SortedDim dim{4 * 16, 4};
  Rows rows;
  for (int64_t i = 0; i < dim.shards; ++i)
    for (int64_t r = 0; r < dim.block(); ++r)
      rows.push_back(r < 5 ? 0 : 1);
  Rows line = exchanged(dim, rows);
  int64_t furthest = std::find(line.rbegin(), line.rend(), 0).base() - line.begin() - 1;
  EXPECT_EQ(furthest - (4 * 5 - 1), dim.reach());
}

TEST(SortExchange, CostsLessThanToGather) {
  CostModel bytes{0, 1};
  EXPECT_EQ(costOfSort({4000, 4}, 1, 1, bytes), 750 + 750 + 9 + 9);
  EXPECT_TRUE(isWorthSortingCut(64));
  EXPECT_FALSE(isWorthSortingCut(32));
}

} // namespace
} // namespace spmd
