#include "spmd/ir/reshard/Repad.h"

#include <algorithm>
#include <map>

namespace spmd {

std::vector<RepadRound> roundsOf(const Repad &repad) {
  std::map<int64_t, RepadRound> rounds;
  for (int64_t i = 0; i < repad.shards && i * repad.after < repad.size; ++i) {
    int64_t begin = i * repad.after, end = std::min(begin + repad.after, repad.size);
    for (int64_t j = begin / repad.before; j * repad.before < end; ++j) {
      int64_t width = std::min(end, (j + 1) * repad.before) - std::max(begin, j * repad.before);
      RepadRound &round = rounds.try_emplace(j - i, RepadRound{j - i, 0, i, i}).first->second;
      round.width = std::max(round.width, width);
      round.endReceiver = i + 1;
    }
  }
  std::vector<RepadRound> result;
  for (const auto &[distance, round] : rounds)
    result.push_back(round);
  std::sort(result.begin(), result.end(), [](const RepadRound &a, const RepadRound &b) {
    return std::pair(std::abs(a.distance), a.distance) <
           std::pair(std::abs(b.distance), b.distance);
  });
  return result;
}

double costOf(const Repad &repad, int64_t rowBytes, const CostModel &model) {
  double cost = 0;
  if (repad.shards == 1 || repad.before == repad.after)
    return cost;
  for (const RepadRound &round : roundsOf(repad))
    if (round.distance != 0)
      cost += model.latency + round.width * rowBytes / model.bandwidth;
  return cost;
}

namespace {

/// Where the windows of a repad begin, as expressions over the shard number of the device.
class Windows {
public:
  Windows(const Repad &repad, const Index &shard) : repad(repad), shard(shard) {}

  /// First row of the window within the block of its sender: the first row that the receiver lacks,
  /// or what comes before it if the block ends sooner than the window.
  Index sentFrom(const RepadRound &round) const {
    Index row = shard * (repad.after - repad.before) + Index(-round.distance * repad.after);
    return minimum(maximum(row, 0), repad.before - round.width);
  }

  /// First row of the window counted from the first row of the new block of its receiver; negative
  /// where it starts in the block before. This is the row above less `ahead`, which is the distance
  /// from the first row of the sender's block to that of the receiver's.
  Index goesTo(const RepadRound &round) const {
    Index back = shard * (repad.before - repad.after) + Index(round.distance * repad.before);
    return maximum(back, minimum(back + Index(repad.before - round.width), 0));
  }

private:
  const Repad &repad;
  Index shard;
};

/// Rows before and after the new block that windows may reach into.
struct Margins {
  int64_t before = 0;
  int64_t after = 0;
};

} // namespace

static Margins marginsOf(const Repad &repad, const std::vector<RepadRound> &rounds) {
  int64_t lastShard = (repad.size - 1) / repad.after;
  Margins margins;
  for (const RepadRound &round : rounds) {
    // The windows that arrive; the first and last are the extremes.
    for (int64_t i : {round.firstReceiver, round.endReceiver - 1}) {
      int64_t ahead = i * (repad.after - repad.before) - round.distance * repad.before;
      int64_t start = std::clamp<int64_t>(ahead, 0, repad.before - round.width) - ahead;
      margins.before = std::max(margins.before, -start);
      margins.after = std::max(margins.after, start + round.width - repad.after);
    }
    // A device that gets none writes what it has off its block, on the side where it would belong.
    bool lower = round.firstReceiver > 0, upper = round.endReceiver <= lastShard;
    if (repad.after < repad.before)
      std::swap(lower, upper);
    if (lower)
      margins.after = std::max(margins.after, round.width);
    if (upper)
      margins.before = std::max(margins.before, round.width);
  }
  return margins;
}

void appendRepad(PlanBuilder &builder, const Mesh &mesh, MeshSide side, const AxisList &axes,
                 int dim, const Repad &repad) {
  if (repad.before == repad.after)
    return;
  std::vector<RepadRound> rounds = roundsOf(repad);
  Shape shape = builder.shape();
  shape[dim] = repad.after;
  if (rounds.empty())
    return builder.padAndTrim(shape);

  Windows windows(repad, Index::coordinate(side, axes));
  Margins margins = marginsOf(repad, rounds);
  int64_t rows = margins.before + repad.after + margins.after;
  int block = builder.current(), buffer = Step::noRegister;
  for (const RepadRound &round : rounds) {
    int window = builder.slice(block, dim, round.width, windows.sentFrom(round));
    if (round.distance != 0) {
      Exchange exchange;
      exchange.beforeSide = exchange.afterSide = side;
      exchange.before = exchange.after = {axes, complement(mesh, axes)};
      exchange.shift = round.distance;
      exchange.firstReceiver = round.firstReceiver;
      exchange.endReceiver = round.endReceiver;
      window = builder.permute(std::move(exchange), window);
    }
    if (rounds.size() == 1 && round.width == rows)
      return; // The window is the block.
    Index offset = windows.goesTo(round) + Index(margins.before);
    buffer = builder.update(window, buffer, dim, rows,
                            minimum(maximum(offset, 0), rows - round.width), {});
  }
  builder.slice(buffer, dim, repad.after, margins.before);
}

} // namespace spmd
