// Halo plans against a walk over all windows, row by row.
#include "spmd/ir/reshard/Halo.h"

#include "gtest/gtest.h"

#include <algorithm>
#include <set>

namespace spmd {
namespace {

constexpr int64_t nothing = -1;

std::string text(const WindowedDim &dim) {
  const Window &w = dim.window;
  return testing::PrintToString(std::vector<int64_t>{dim.size, dim.rows, dim.shards, w.size,
                                                     w.stride, w.padLow, w.baseDilation,
                                                     w.windowDilation, w.reversed});
}

/// Returns the rows, as the dim counts them, that the results of device `i` read.
std::set<int64_t> rowsRead(const WindowedDim &dim, int64_t i) {
  const Window &window = dim.window;
  std::set<int64_t> rows;
  for (int64_t r = i * dim.resultBlock(); r < std::min(dim.rows, (i + 1) * dim.resultBlock()); ++r)
    for (int64_t w = 0; w < window.size; ++w) {
      int64_t place = r * window.stride + w * window.windowDilation - window.padLow;
      if (place < 0 || place % window.baseDilation != 0 || place / window.baseDilation >= dim.size)
        continue;
      // Places of a dim that is read from its end count the padding in front.
      rows.insert(place / window.baseDilation + dim.begin());
    }
  return rows;
}

/// Returns the block at `place`: its rows, by the dim's count.
std::vector<int64_t> blockAt(const WindowedDim &dim, int64_t place) {
  std::vector<int64_t> block;
  for (int64_t row = place * dim.block(); row < (place + 1) * dim.block(); ++row)
    block.push_back(row);
  return block;
}

/// Returns the strip that device `i` gets in a round, `nothing` in its rows if it gets none.
std::vector<int64_t> stripFor(const WindowedDim &dim, const HaloPlan &plan, const HaloRound &round,
                              int64_t i, int64_t &from) {
  int64_t place = i + round.distance;
  from = plan.isFixed ? round.from
                      : std::clamp<int64_t>(dim.first(i) - place * dim.block(), 0,
                                            dim.block() - round.width);
  if (i < round.firstReceiver || i >= round.endReceiver)
    return std::vector<int64_t>(round.width, nothing);
  std::vector<int64_t> block = blockAt(dim, place);
  return {block.begin() + from, block.begin() + from + round.width};
}

/// Returns the length() rows that device `i` ends up with.
std::vector<int64_t> receive(const WindowedDim &dim, const HaloPlan &plan, int64_t i) {
  std::vector<int64_t> frame(plan.marginLow, nothing);
  for (const HaloRound &round : plan.rounds) {
    int64_t from;
    std::vector<int64_t> strip = stripFor(dim, plan, round, i, from);
    if (!plan.isFixed) {
      std::vector<int64_t> block(dim.block(), nothing);
      std::copy(strip.begin(), strip.end(), block.begin() + (round.width ? from : 0));
      strip = block;
    }
    frame.insert(frame.end(), strip.begin(), strip.end());
  }
  frame.insert(frame.end(), plan.marginHigh, nothing);
  int64_t at = plan.isFixed ? 0
                            : dim.first(i) - (i + plan.rounds.front().distance) * dim.block() +
                                  plan.marginLow;
  at = std::clamp<int64_t>(at, 0, static_cast<int64_t>(frame.size()) - dim.length());
  return {frame.begin() + at, frame.begin() + at + dim.length()};
}

void check(const WindowedDim &dim) {
  HaloPlan plan = planHalo(dim);
  for (int64_t i = 0; i < dim.shards; ++i) {
    std::set<int64_t> needed = rowsRead(dim, i);
    if (needed.empty())
      continue;
    ASSERT_GE(*needed.begin(), dim.first(i)) << text(dim);
    ASSERT_LT(*needed.rbegin(), dim.first(i) + dim.count(i)) << text(dim);
    ASSERT_FALSE(plan.rounds.empty()) << text(dim);
    std::vector<int64_t> rows = receive(dim, plan, i);
    for (int64_t row : needed)
      ASSERT_EQ(rows[row - dim.first(i)], row) << text(dim) << " device " << i;
  }
}

TEST(Halo, EveryDeviceGetsTheRowsItReads) {
  int64_t numCases = 0;
  for (int64_t size : {1, 4, 7, 12})
    for (int64_t shards : {2, 3, 4})
      for (int64_t windowSize : {1, 2, 3, 9})
        for (int64_t stride : {1, 2, 3})
          for (int64_t padLow : {-3, 0, 2, 8})
            for (int64_t padHigh : {-1, 0, 5})
              for (int64_t base : {1, 2, 3})
                for (int64_t dilation : {1, 2}) {
                  Window window{windowSize, stride, padLow, padHigh, base, dilation, false};
                  int64_t padded = (size - 1) * base + 1 + padLow + padHigh,
                          reach = (windowSize - 1) * dilation + 1;
                  if (padded < reach)
                    continue;
                  check({window, size, (padded - reach) / stride + 1, shards});
                  ++numCases;
                }
  EXPECT_GT(numCases, 4000);
}

TEST(Halo, WindowsOverManyShardsTakeNoLonger) {
  Window window;
  window.size = 1 << 15;
  window.padLow = 1 << 14;
  window.padHigh = window.padLow - 1;
  HaloPlan plan = planHalo({window, 1 << 16, 1 << 16, 1 << 15});
  EXPECT_EQ(plan.rounds.size(), (1u << 14) + 1);
  EXPECT_EQ(plan.rounds.front().distance, -(1 << 13));
  EXPECT_EQ(plan.rounds.front().firstReceiver, 1 << 13);
  EXPECT_EQ(plan.rounds.front().endReceiver, 1 << 15);
}

TEST(Halo, DevicesWithoutResultsTakeNoTime) {
  Window window;
  window.size = 3;
  window.padLow = window.padHigh = 1;
  HaloPlan plan = planHalo({window, 16, 16, int64_t{1} << 31});
  ASSERT_EQ(plan.rounds.size(), 3u);
  EXPECT_EQ(plan.rounds.front().endReceiver, 16);
}

TEST(Halo, SendsNothingWhereNoRowIsRead) {
  Window window;
  window.padLow = -3; // The first result reads behind the last row.
  EXPECT_TRUE(planHalo({window, 3, 4, 2}).rounds.empty());
}

TEST(Halo, ReadsFromTheEnd) {
  for (int64_t size : {1, 2, 5, 8, 11})
    for (int64_t shards : {2, 3, 4, 8}) {
      Window window;
      window.reversed = true;
      check({window, size, size, shards});
    }
}

int64_t rowsSent(const HaloPlan &plan) {
  int64_t rows = 0;
  for (const HaloRound &round : plan.rounds)
    rows += round.distance == 0 ? 0 : round.width;
  return rows;
}

TEST(Halo, SendsNoMoreThanTheWindowReaches) {
  Window window;
  window.size = 3;
  window.padLow = window.padHigh = 1;
  HaloPlan plan = planHalo({window, 12, 12, 4});
  EXPECT_TRUE(plan.isFixed);
  EXPECT_EQ(plan.rounds.size(), 3u);
  EXPECT_EQ(rowsSent(plan), 2);

  // Half of the rows, in blocks half as long: none travels twice.
  Window half;
  plan = planHalo({half, 16, 8, 4});
  EXPECT_FALSE(plan.isFixed);
  EXPECT_EQ(rowsSent(plan), 4);
}

TEST(Halo, SendsNothingWhereAStretchBeginsBetweenRows) {
  // Rows are spread to every second or third place, with places in front and behind.
  for (int64_t base : {2, 3})
    for (int64_t low = 0; low < base; ++low) {
      Window window;
      window.baseDilation = base;
      window.padLow = low;
      window.padHigh = base - 1 - low;
      WindowedDim dim{window, 8, 8 * base, 4};
      EXPECT_EQ(rowsSent(planHalo(dim)), 0) << text(dim);
      check(dim);
    }
  // A stretch that ends before the next row has none: what it reads is between rows on all devices.
  Window window;
  window.stride = window.baseDilation = 3;
  window.padLow = 1;
  check({window, 8, 8, 8});
}

TEST(Halo, GathersWhereThatIsCheaper) {
  Window window;
  window.size = window.padLow = 16;
  WindowedDim dim{window, 16, 17, 4};
  bool gathers = false;
  double cost = costOfHalo(dim, planHalo(dim), 4, CostModel{}, &gathers);
  EXPECT_TRUE(gathers);
  EXPECT_LE(cost, CostModel{}.latency + 12 * 4 / CostModel{}.bandwidth + 1e-12);
}

TEST(Halo, PairsStayWithinALine) {
  absl::StatusOr<Mesh> mesh = Mesh::create({{"x", 2}, {"y", 3}});
  ASSERT_TRUE(mesh.ok());
  Window window;
  window.size = 2;
  WindowedDim dim{window, 6, 5, 3};
  HaloPlan plan = planHalo(dim);
  std::vector<AxisRef> axes = {wholeAxis(*mesh, 1)};
  using Pairs = std::vector<std::pair<int64_t, int64_t>>;
  EXPECT_EQ(pairsOf(dim, plan.rounds.back(), *mesh, axes), (Pairs{{1, 0}, {2, 1}, {4, 3}, {5, 4}}));
}

} // namespace
} // namespace spmd
