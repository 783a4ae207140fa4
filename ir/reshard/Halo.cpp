#include "spmd/ir/reshard/Halo.h"

#include "spmd/ir/sharding/Layout.h"

#include <algorithm>
#include <map>
#include <set>

namespace spmd {

static int64_t floorDiv(int64_t a, int64_t b) { return a >= 0 ? a / b : -((-a + b - 1) / b); }

//===- What is needed ------------------------------------------------------===//

int64_t WindowedDim::block() const { return shardSize(size, shards); }
int64_t WindowedDim::resultBlock() const { return shardSize(rows, shards); }

int64_t WindowedDim::numResults(int64_t i) const {
  return std::clamp<int64_t>(rows - i * resultBlock(), 0, resultBlock());
}

int64_t WindowedDim::numWithResults() const {
  return rows == 0 ? 0 : shardSize(rows, resultBlock());
}

static int64_t spanOf(const Window &window, int64_t numResults) {
  return (numResults - 1) * window.stride + (window.size - 1) * window.windowDilation + 1;
}

int64_t WindowedDim::span() const { return spanOf(window, resultBlock()); }

int64_t WindowedDim::slope() const { return resultBlock() * window.stride; }

int64_t WindowedDim::offset() const { return begin() * window.baseDilation - window.padLow; }

int64_t WindowedDim::spanFrom(int64_t i) const { return slope() * i + offset(); }

bool WindowedDim::hasFixedPhase() const { return slope() % window.baseDilation == 0; }

int64_t WindowedDim::rounding() const {
  int64_t toNextRow = -floorDiv(-offset(), divisor()) * divisor() - offset();
  return hasFixedPhase() && toNextRow < span() ? divisor() - 1 : 0;
}

int64_t WindowedDim::first(int64_t i) const {
  return floorDiv(spanFrom(i) + rounding(), divisor());
}

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

namespace {

/// Collects rounds by distance. A device needs part of the first and of the last block it reaches,
/// and all blocks in between: those are noted as ranges, so that time does not grow with the
/// square of the number of shards.
class Rounds {
public:
  explicit Rounds(const WindowedDim &dim) : dim(dim), block(dim.block()) {}

  std::vector<HaloRound> collect() {
    for (int64_t i = 0, count = dim.numWithResults(); i < count; ++i)
      if (auto [from, to] = dim.existing(i); from < to) {
        int64_t first = from / block, last = (to - 1) / block;
        add(i, first - i, std::min(to, (first + 1) * block) - from);
        if (last > first)
          add(i, last - i, to - last * block);
        if (last > first + 1)
          betweens.push_back({first + 1 - i, last - 1 - i, i});
      }
    addBetweens();
    return withoutGaps();
  }

private:
  /// Device `receiver` needs all blocks at the distances low .. high.
  struct Between {
    int64_t low, high, receiver;
  };

  void add(int64_t receiver, int64_t distance, int64_t width) {
    HaloRound &round =
        rounds.try_emplace(distance, HaloRound{distance, 0, receiver, receiver + 1, 0})
            .first->second;
    round.width = std::max(round.width, width);
    round.firstReceiver = std::min(round.firstReceiver, receiver);
    round.endReceiver = std::max(round.endReceiver, receiver + 1);
  }

  /// Of the devices that need a whole block at some distance, the first and the last count.
  void addBetweens() {
    addFirsts();
    std::reverse(betweens.begin(), betweens.end());
    addFirsts();
  }

  /// Adds for each distance the first device, in the order of `betweens`, that needs a whole block.
  void addFirsts() {
    if (betweens.empty())
      return;
    int64_t lowest = betweens.front().low, highest = betweens.front().high;
    for (const Between &between : betweens) {
      lowest = std::min(lowest, between.low);
      highest = std::max(highest, between.high);
    }
    std::set<int64_t> unseen;
    for (int64_t distance = lowest; distance <= highest; ++distance)
      unseen.insert(unseen.end(), distance);
    for (const Between &between : betweens)
      for (auto at = unseen.lower_bound(between.low); at != unseen.end() && *at <= between.high;
           at = unseen.erase(at))
        add(between.receiver, *at, block);
  }

  std::vector<HaloRound> withoutGaps() const {
    std::vector<HaloRound> all;
    for (const auto &[distance, round] : rounds) {
      while (!all.empty() && all.back().distance + 1 < distance)
        all.push_back({all.back().distance + 1, 0, 0, 0, 0});
      all.push_back(round);
    }
    return all;
  }

  const WindowedDim &dim;
  int64_t block;
  std::map<int64_t, HaloRound> rounds;
  std::vector<Between> betweens;
};

} // namespace

/// Where the rows of device `i` begin, counted from the first block of its frame.
static int64_t placeInFrame(const WindowedDim &dim, const HaloPlan &plan, int64_t i) {
  return dim.first(i) - (i + plan.rounds.front().distance) * dim.block();
}

/// Calls `visit(i)` for each device that needs any row.
template <typename Visit> static void forEachReceiver(const WindowedDim &dim, Visit visit) {
  for (int64_t i = 0, count = dim.numWithResults(); i < count; ++i)
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
  plan.rounds = Rounds(dim).collect();
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

/// More permutes than this in a row are no halo any more, and would fill the program.
constexpr size_t maxRounds = 64;

double costOfHalo(const WindowedDim &dim, const HaloPlan &plan, double rowBytes,
                  const CostModel &model, bool *gathers) {
  double rounds = 0;
  for (const HaloRound &round : plan.rounds)
    if (round.width > 0 && (round.distance != 0 || dim.window.reversed))
      rounds += model.latency + static_cast<double>(round.width) * rowBytes / model.bandwidth;
  double gather = model.latency +
                  static_cast<double>((dim.shards - 1) * dim.block()) * rowBytes / model.bandwidth;
  bool isGathered = gather < rounds || plan.rounds.size() > maxRounds;
  if (gathers)
    *gathers = isGathered;
  return isGathered ? gather : rounds;
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
