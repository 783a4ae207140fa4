#include "spmd/ir/cost/Schedule.h"

#include "spmd/ir/cost/Fusion.h"
#include "spmd/ir/cost/Roofline.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <queue>

namespace spmd {

namespace {

template <typename Number> Number times(Number a, int64_t b) {
  Number product = 0;
  return __builtin_mul_overflow(a, b, &product) ? std::numeric_limits<Number>::max() : product;
}

template <typename Number> Number plus(Number a, Number b) {
  Number sum = 0;
  return __builtin_add_overflow(a, b, &sum) ? std::numeric_limits<Number>::max() : sum;
}

/// Adds the times of one run of a block, `runs` times. Collectives are left out.
void addTimes(ProgramTimes &sum, const ProgramTimes &each, int64_t runs) {
  sum.total = plus(sum.total, times(each.total, runs));
  sum.compute = plus(sum.compute, times(each.compute, runs));
  sum.communication = plus(sum.communication, times(each.communication, runs));
  sum.exposed = plus(sum.exposed, times(each.exposed, runs));
  sum.products = plus(sum.products, times(each.products, runs));
  sum.memoryBytes = plus(sum.memoryBytes, times(each.memoryBytes, runs));
  sum.flops += each.flops * static_cast<double>(runs);
}

/// Another block that a block runs.
struct BlockRun {
  int32_t block;
  int64_t runs;
};

/// What is known of one run of a block.
struct BlockTimes {
  ProgramTimes times;
  std::vector<std::pair<int32_t, CollectiveTimes>> collectives; ///< Its own, by number.
  std::vector<BlockRun> inner;
};

class BlockScheduler {
public:
  BlockScheduler(const CostBlock &block, const std::vector<BlockTimes> &known,
                 const Roofline &model)
      : block(block), known(known), model(model), ops(fuseChains(block)) {}

  BlockTimes run() {
    waitingFor.resize(ops.size());
    consumers.resize(ops.size());
    exposed.resize(ops.size());
    int32_t begin = 0, numOps = static_cast<int32_t>(ops.size());
    for (int32_t i = 0; i < numOps; ++i)
      if (isNested(ops[i])) {
        runSegment(begin, i);
        runNested(block.ops[ops[i].last]);
        begin = i + 1;
      }
    runSegment(begin, numOps);
    return std::move(result);
  }

private:
  static bool isNested(const FusedOp &op) {
    return op.role == OpRole::loop || op.role == OpRole::branch;
  }

  void runNested(const CostOp &op) {
    auto totalOf = [&](int32_t inner) { return known[inner].times.total; };
    std::vector<int32_t> run = op.blocks;
    if (op.role == OpRole::branch && !run.empty())
      run = {*std::max_element(run.begin(), run.end(),
                               [&](int32_t a, int32_t b) { return totalOf(a) < totalOf(b); })};
    for (int32_t inner : run) {
      addTimes(result.times, known[inner].times, op.runs);
      result.inner.push_back({inner, op.runs});
    }
  }

  using Ready = std::priority_queue<int32_t, std::vector<int32_t>, std::greater<int32_t>>;

  struct Stream {
    Ready ready;
    int32_t running = -1;
    Picoseconds end = 0;
  };

  /// Schedules the ops [begin, end), between which and the others nothing overlaps.
  void runSegment(int32_t begin, int32_t end) {
    Stream compute, network;
    auto streamOf = [&](int32_t op) -> Stream & {
      return ops[op].role == OpRole::collective ? network : compute;
    };
    for (int32_t i = begin; i < end; ++i) {
      for (int32_t producer : ops[i].producers)
        if (producer >= begin) {
          consumers[producer].push_back(i);
          ++waitingFor[i];
        }
      if (waitingFor[i] == 0)
        streamOf(i).ready.push(i);
    }
    Picoseconds now = 0;
    while (true) {
      for (Stream *stream : {&compute, &network})
        if (stream->running < 0 && !stream->ready.empty()) {
          stream->running = stream->ready.top();
          stream->ready.pop();
          stream->end = plus(now, start(stream->running));
        }
      if (compute.running < 0 && network.running < 0)
        break;
      Picoseconds next = std::numeric_limits<Picoseconds>::max();
      for (const Stream *stream : {&compute, &network})
        if (stream->running >= 0)
          next = std::min(next, stream->end);
      if (compute.running < 0)
        exposed[network.running] += next - now;
      now = next;
      for (Stream *stream : {&compute, &network})
        if (stream->running >= 0 && stream->end <= now) {
          for (int32_t consumer : consumers[stream->running])
            if (--waitingFor[consumer] == 0)
              streamOf(consumer).ready.push(consumer);
          stream->running = -1;
        }
    }
    result.times.total = plus(result.times.total, now);
    for (int32_t i = begin; i < end; ++i)
      if (ops[i].role == OpRole::collective) {
        const CostOp &op = block.ops[ops[i].last];
        result.times.exposed += exposed[i];
        result.collectives.push_back({op.collective, {op.collectiveTime, exposed[i]}});
      }
  }

  /// Counts an op that starts, and returns how long it takes.
  Picoseconds start(int32_t index) {
    const FusedOp &op = ops[index];
    ProgramTimes &sum = result.times;
    if (op.role == OpRole::collective) {
      Picoseconds time = block.ops[op.last].collectiveTime;
      sum.communication = plus(sum.communication, time);
      return time;
    }
    Picoseconds time = model.timeOf(op.arithmetic, op.bytes);
    sum.compute = plus(sum.compute, time);
    sum.products = plus(sum.products, op.products);
    sum.memoryBytes = plus(sum.memoryBytes, op.bytes);
    sum.flops += op.flops;
    return time;
  }

  const CostBlock &block;
  const std::vector<BlockTimes> &known;
  const Roofline &model;
  std::vector<FusedOp> ops;
  std::vector<int32_t> waitingFor;
  std::vector<std::vector<int32_t>> consumers;
  std::vector<Picoseconds> exposed;
  BlockTimes result;
};

} // namespace

ProgramTimes scheduleProgram(const CostProgram &program, const DeviceProfile &profile) {
  Roofline model(profile);
  std::vector<BlockTimes> known;
  known.reserve(program.blocks.size());
  for (const CostBlock &block : program.blocks)
    known.push_back(BlockScheduler(block, known, model).run());
  ProgramTimes result;
  result.collectives.resize(program.numCollectives);
  if (program.entry < 0)
    return result;
  std::vector<CollectiveTimes> collectives = std::move(result.collectives);
  result = known[program.entry].times;
  result.collectives = std::move(collectives);
  std::vector<int64_t> runs(program.blocks.size(), 0);
  runs[program.entry] = 1;
  for (int32_t i = static_cast<int32_t>(program.blocks.size()) - 1; i >= 0; --i) {
    if (runs[i] == 0)
      continue;
    for (const auto &[number, each] : known[i].collectives) {
      CollectiveTimes &sum = result.collectives[number];
      sum.time = plus(sum.time, times(each.time, runs[i]));
      sum.exposed = plus(sum.exposed, times(each.exposed, runs[i]));
    }
    for (const BlockRun &inner : known[i].inner)
      runs[inner.block] = plus(runs[inner.block], times(runs[i], inner.runs));
  }
  return result;
}

} // namespace spmd
