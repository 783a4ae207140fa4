// What Google Benchmark does not measure: user CPU, memory, growth with size.
#pragma once

#include <benchmark/benchmark.h>

#include <string>

namespace spmd::bench {

/// Returns the user CPU seconds that this process has taken. Unlike wall time, hardly disturbed by
/// what else the machine does.
double userSeconds();

/// The most memory that the process holds while the object lives, beyond what it held before.
class PeakMemory {
public:
  /// Gives unused memory back first, so that growth is seen.
  PeakMemory();
  /// Returns bytes.
  double growth() const;

private:
  double before;
};

/// Reports `seconds` over `numOps` ops as counter `name`, in nanoseconds an op.
void reportPerOp(benchmark::State &state, const std::string &name, double seconds, double numOps);

/// Reports as counter `10x` how many times longer `what` takes than in the run before this, which
/// was a tenth of the size; nan where there was none. 10 is linear.
void reportGrowth(benchmark::State &state, const std::string &what, int64_t numOps, double seconds);

} // namespace spmd::bench
