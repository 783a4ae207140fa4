#include "spmd/bench/Measure.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <malloc.h>
#include <map>
#include <sys/resource.h>

namespace spmd::bench {

double userSeconds() {
  rusage usage = {};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_utime.tv_sec) +
         static_cast<double>(usage.ru_utime.tv_usec) * 1e-6;
}

/// Returns a line of /proc/self/status, such as `VmHWM`, in bytes.
static double statusBytes(const std::string &key) {
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;)
    if (word == key + ":") {
      double kilobytes = 0;
      status >> kilobytes;
      return kilobytes * 1024;
    }
  return 0;
}

PeakMemory::PeakMemory() {
  malloc_trim(0);
  std::ofstream("/proc/self/clear_refs") << "5"; // Resets the peak to what is held now.
  before = statusBytes("VmRSS");
}

double PeakMemory::growth() const { return std::max(0.0, statusBytes("VmHWM") - before); }

void reportPerOp(benchmark::State &state, const std::string &name, double seconds, double numOps) {
  state.counters[name] = seconds * 1e9 / numOps;
}

void reportGrowth(benchmark::State &state, const std::string &what, int64_t numOps,
                  double seconds) {
  static std::map<std::pair<std::string, int64_t>, double> known;
  known[{what, numOps}] = seconds;
  auto smaller = known.find({what, numOps / 10});
  state.counters["10x"] = smaller == known.end() ? std::nan("") : seconds / smaller->second;
}

} // namespace spmd::bench
