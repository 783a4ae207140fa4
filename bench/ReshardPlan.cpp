// Planning reshards: all pairs of shardings of a matrix over one mesh, anew and from the cache.

#include "spmd/bench/Measure.h"
#include "spmd/ir/reshard/Reshard.h"

namespace spmd::bench {

/// Every sharding of two dims in which each axis splits a dim, sums over devices, or does nothing.
static std::vector<Sharding> shardingsOver(const Mesh &mesh) {
  std::vector<Sharding> all = {Sharding::replicatedOf(2)};
  for (int axis = 0; axis < static_cast<int>(mesh.axes().size()); ++axis) {
    std::vector<Sharding> more = all;
    for (const Sharding &sharding : all) {
      for (size_t d = 0; d < 2; ++d) {
        more.push_back(sharding);
        more.back().dims[d].axes.push_back(wholeAxis(mesh, axis));
      }
      more.push_back(sharding);
      more.back().unreduced.push_back(wholeAxis(mesh, axis));
    }
    all = std::move(more);
  }
  return all;
}

static Mesh meshOf(int64_t numDevices) {
  return *Mesh::create({{"x", numDevices / 4}, {"y", 2}, {"z", 2}});
}

constexpr int64_t shape[] = {8192, 8192};

static void planAnew(benchmark::State &state) {
  Mesh mesh = meshOf(state.range(0));
  std::vector<Sharding> shardings = shardingsOver(mesh);
  for (auto _ : state)
    for (const Sharding &from : shardings)
      for (const Sharding &to : shardings)
        benchmark::DoNotOptimize(planReshard({&mesh, from}, {&mesh, to}, shape, 4));
  double pairs = static_cast<double>(shardings.size() * shardings.size());
  state.counters["pairs"] = pairs;
  state.counters["s/plan"] =
      benchmark::Counter(pairs * static_cast<double>(state.iterations()),
                         benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}
BENCHMARK(planAnew)
    ->Name("reshard_plan/anew/devices")
    ->Arg(8)
    ->Arg(512)
    ->Arg(8192)
    ->Unit(benchmark::kMillisecond);

static void lookUp(benchmark::State &state) {
  Mesh mesh = meshOf(state.range(0));
  std::vector<Sharding> shardings = shardingsOver(mesh);
  PlanCache cache;
  auto askAll = [&] {
    for (const Sharding &from : shardings)
      for (const Sharding &to : shardings)
        benchmark::DoNotOptimize(cache.plan({&mesh, from}, {&mesh, to}, shape, 4));
  };
  askAll();
  for (auto _ : state)
    askAll();
  state.counters["s/lookup"] =
      benchmark::Counter(static_cast<double>(shardings.size() * shardings.size()) *
                             static_cast<double>(state.iterations()),
                         benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}
BENCHMARK(lookUp)
    ->Name("reshard_plan/cached/devices")
    ->Arg(8)
    ->Arg(8192)
    ->Unit(benchmark::kMillisecond);

} // namespace spmd::bench
