// Transposes of each element size against a copy of as many bytes, taken in turn, so that what else
// the machine does slows both alike.

#include "spmd/bench/Measure.h"
#include "spmd/lowering/interpreter/Memory.h"
#include "spmd/lowering/interpreter/StridedCopy.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <functional>
#include <vector>

namespace spmd::bench {

/// Returns the seconds that `work` takes once, among several in a row: each finds in the cache what
/// it left there itself.
static double secondsOf(const std::function<void()> &work) {
  constexpr int times = 8;
  auto start = std::chrono::steady_clock::now();
  for (int i = 0; i < times; ++i) {
    work();
    benchmark::ClobberMemory();
  }
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() / times;
}

static double medianOf(std::vector<double> times) {
  std::nth_element(times.begin(), times.begin() + times.size() / 2, times.end());
  return times[times.size() / 2];
}

/// Runs `work` on `bytes` to read and to write; reports its rate as a part of a copy's, by medians.
static void compareWithCopy(benchmark::State &state, int64_t bytes,
                            const std::function<void(const std::byte *, std::byte *)> &work) {
  Scratch from(bytes), to(bytes); // As tensors lie.
  std::memset(from.data(), 1, bytes);
  std::memset(to.data(), 1, bytes);
  std::vector<double> copies, works;
  for (auto _ : state) {
    copies.push_back(secondsOf([&] { std::memcpy(to.data(), from.data(), bytes); }));
    works.push_back(secondsOf([&] { work(from.data(), to.data()); }));
    state.SetIterationTime(works.back());
  }
  state.counters["of_copy"] = medianOf(copies) / medianOf(works);
  state.counters["bytes/s"] = static_cast<double>(bytes) / medianOf(works);
}

static void transpose(benchmark::State &state) {
  int64_t bytes = state.range(0), rows = state.range(1), columns = state.range(2);
  compareWithCopy(state, bytes * rows * columns, [&](const std::byte *from, std::byte *to) {
    transposeElements(rows, columns, bytes, from, to);
  });
}
BENCHMARK(transpose)
    ->Name("interpreter/transpose_against_copy/bytes_rows_columns")
    ->Args({1, 2048, 2048})
    ->Args({1, 1024, 4096})
    ->Args({1, 4096, 1024})
    ->Args({1, 2000, 2100})
    ->Args({2, 1024, 2048})
    ->Args({2, 2048, 1024})
    ->Args({2, 1400, 1500})
    ->Args({4, 1024, 1024})
    ->Args({4, 512, 2048})
    ->Args({4, 1000, 1050})
    ->Args({8, 1024, 512})
    ->Args({8, 512, 1024})
    ->Args({8, 700, 750})
    ->Args({16, 512, 512})
    ->Args({16, 500, 525})
    ->Args({32, 512, 256})
    ->Args({64, 256, 256})
    ->UseManualTime()
    ->Unit(benchmark::kMicrosecond);

} // namespace spmd::bench
