#include "spmd/ir/reshard/Halo.h"

#include "spmd/ir/sharding/Layout.h"

#include <algorithm>
#include <map>

namespace spmd {

static int64_t floorDiv(int64_t a, int64_t b) { return a >= 0 ? a / b : -((-a + b - 1) / b); }

//===- What is needed ------------------------------------------------------===//

int64_t WindowedDim::block() const { return shardSize(size, shards); }
int64_t WindowedDim::resultBlock() const { return shardSize(rows, shards); }

int64_t WindowedDim::numResults(int64_t i) const {
  return std::clamp<int64_t>(rows - i * resultBlock(), 0, resultBlock());
}

static int64_t spanOf(const Window &window, int64_t numResults) {
  return (numResults - 1) * window.stride + (window.size - 1) * window.windowDilation + 1;
}

int64_t WindowedDim::span() const { return spanOf(window, resultBlock()); }

int64_t WindowedDim::slope() const { return resultBlock() * window.stride; }

int64_t WindowedDim::offset() const { return begin() * window.baseDilation - window.padLow; }

int64_t WindowedDim::spanFrom(int64_t i) const { return slope() * i + offset(); }

bool WindowedDim::hasFixedPhase() const { return slope() % window.baseDilation == 0; }

int64_t WindowedDim::first(int64_t i) const { return floorDiv(spanFrom(i), divisor()); }

int64_t WindowedDim::count(int64_t i) const {
  int64_t results = numResults(i);
  if (results == 0)
    return 0;
  return floorDiv(spanFrom(i) + spanOf(window, results) - 1, divisor()) - first(i) + 1;
}

int64_t WindowedDim::length() const {
  int64_t phase = hasFixedPhase() ? spanFrom(0) - first(0) * divisor() : divisor() - 1;
  return floorDiv(phase + span() - 1, divisor()) + 1;
}

std::pair<int64_t, int64_t> WindowedDim::existing(int64_t i) const {
  return {std::max(first(i), begin()), std::min(first(i) + count(i), end())};
}

//===- Who sends it --------------------------------------------------------===//

/// Calls `visit(i, distance, from, to)` for each shard of which device i needs rows from .. to - 1.
template <typename Visit> static void forEachStrip(const WindowedDim &dim, Visit visit) {
  int64_t block = dim.block();
  for (int64_t i = 0; i < dim.shards; ++i) {
    auto [from, to] = dim.existing(i);
    for (int64_t place = from / block; from < to && place * block < to; ++place)
      visit(i, place - i, std::max(from, place * block), std::min(to, (place + 1) * block));
  }
}

/// Collects the rounds: who receives in each, and the most rows that one receives.
static std::vector<HaloRound> collectRounds(const WindowedDim &dim) {
  std::map<int64_t, HaloRound> byDistance;
  forEachStrip(dim, [&](int64_t i, int64_t distance, int64_t from, int64_t to) {
    HaloRound &round =
        byDistance.try_emplace(distance, HaloRound{distance, 0, i, i, 0}).first->second;
    round.width = std::max(round.width, to - from);
    round.endReceiver = i + 1;
  });
  std::vector<HaloRound> rounds;
  for (const auto &[distance, round] : byDistance) {
    while (!rounds.empty() && rounds.back().distance + 1 < distance)
      rounds.push_back({rounds.back().distance + 1, 0, 0, 0, 0});
    rounds.push_back(round);
  }
  return rounds;
}

/// Where the rows of device `i` begin, counted from the first block of its frame.
static int64_t placeInFrame(const WindowedDim &dim, const HaloPlan &plan, int64_t i) {
  return dim.first(i) - (i + plan.rounds.front().distance) * dim.block();
}

/// Calls `visit(i)` for each device that needs any row.
template <typename Visit> static void forEachReceiver(const WindowedDim &dim, Visit visit) {
  for (int64_t i = 0; i < dim.shards; ++i)
    if (auto [from, to] = dim.existing(i); from < to)
      visit(i);
}

/// Cuts strips to what is needed of the frame, which is the same on all devices.
static void trimStrips(const WindowedDim &dim, HaloPlan &plan, int64_t at, int64_t numRows) {
  int64_t block = dim.block(), frameEnd = static_cast<int64_t>(plan.rounds.size()) * block;
  for (size_t slot = 0; slot < plan.rounds.size(); ++slot) {
    int64_t start = static_cast<int64_t>(slot) * block;
    int64_t from = std::max(at, start), to = std::min(at + numRows, start + block);
    plan.rounds[slot].from = from - start;
    plan.rounds[slot].width = std::max<int64_t>(0, to - from);
  }
  plan.marginLow = std::max<int64_t>(0, -at);
  plan.marginHigh = std::max<int64_t>(0, at + dim.length() - std::min(frameEnd, at + numRows));
}

HaloPlan planHalo(const WindowedDim &dim) {
  HaloPlan plan;
  plan.rounds = collectRounds(dim);
  if (plan.rounds.empty())
    return plan;
  std::optional<int64_t> at;
  int64_t low = 0, high = 0, numRows = 0;
  forEachReceiver(dim, [&](int64_t i) {
    int64_t place = placeInFrame(dim, plan, i);
    plan.isFixed &= at.value_or(place) == place;
    at = place;
    low = std::max(low, -place);
    high = std::max(high, place + dim.length());
    numRows = std::max(numRows, dim.count(i));
  });
  if (plan.isFixed) {
    trimStrips(dim, plan, *at, numRows);
    return plan;
  }
  plan.marginLow = low;
  plan.marginHigh =
      std::max<int64_t>(0, high - static_cast<int64_t>(plan.rounds.size()) * dim.block());
  return plan;
}

double costOfHalo(const WindowedDim &dim, const HaloPlan &plan, double rowBytes,
                  const CostModel &model, bool *gathers) {
  double rounds = 0;
  for (const HaloRound &round : plan.rounds)
    if (round.width > 0 && (round.distance != 0 || dim.window.reversed))
      rounds += model.latency + static_cast<double>(round.width) * rowBytes / model.bandwidth;
  double gather = model.latency +
                  static_cast<double>((dim.shards - 1) * dim.block()) * rowBytes / model.bandwidth;
  if (gathers)
    *gathers = gather < rounds;
  return std::min(rounds, gather);
}

std::vector<std::pair<int64_t, int64_t>> pairsOf(const WindowedDim &dim, const HaloRound &round,
                                                 const Mesh &mesh, absl::Span<const AxisRef> axes) {
  std::vector<std::pair<int64_t, int64_t>> pairs;
  for (const std::vector<int64_t> &line : deviceGroups(mesh, axes))
    for (int64_t i = round.firstReceiver; i < round.endReceiver; ++i) {
      int64_t place = i + round.distance;
      pairs.emplace_back(line[dim.window.reversed ? dim.shards - 1 - place : place], line[i]);
    }
  return pairs;
}

} // namespace spmd
