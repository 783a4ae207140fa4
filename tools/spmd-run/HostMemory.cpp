#include "spmd/tools/spmd-run/HostMemory.h"

#include "spmd/lowering/program/Peak.h"

#include "absl/strings/str_format.h"

#include <algorithm>
#include <fstream>
#include <limits>
#include <string>
#include <sys/resource.h>

namespace spmd {

/// Returns the bytes of address space that this process may take, or the largest number.
static int64_t addressBytes() {
  rlimit limit{};
  if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY)
    return std::numeric_limits<int64_t>::max();
  return static_cast<int64_t>(
      std::min<rlim_t>(limit.rlim_cur, std::numeric_limits<int64_t>::max()));
}

/// Returns the bytes of memory and swap, or the largest number where the system does not say.
static int64_t hostBytes() {
  std::ifstream file("/proc/meminfo");
  int64_t kilobytes = 0;
  for (std::string name, unit; file >> name;) {
    int64_t value = 0;
    file >> value;
    std::getline(file, unit);
    if (name == "MemTotal:" || name == "SwapTotal:")
      kilobytes += value;
  }
  return kilobytes > 0 ? kilobytes * 1024 : std::numeric_limits<int64_t>::max();
}

/// Returns a + b * c, or the largest number.
static int64_t addProduct(int64_t a, int64_t b, int64_t c) {
  int64_t sum = 0;
  bool overflows = __builtin_mul_overflow(b, c, &sum) || __builtin_add_overflow(sum, a, &sum);
  return overflows ? std::numeric_limits<int64_t>::max() : sum;
}

int64_t bytesToRun(const DeviceProgram &program) {
  int64_t whole = 0, local = 0;
  for (const Boundary &argument : program.arguments)
    whole = addProduct(whole, 1, argument.global.sizeInBytes());
  for (const Boundary &result : program.results)
    whole = addProduct(whole, 1, result.global.sizeInBytes());
  const Function &entry = program.functions[program.entry];
  for (int32_t i = 0; i < entry.numArguments; ++i)
    local = addProduct(local, 1, entry.values[i].sizeInBytes());
  int64_t made = std::max<int64_t>(0, peakBytes(program) - local);
  return addProduct(whole, made, program.numDevices);
}

int64_t hostMemory() { return std::min(hostBytes(), addressBytes()); }

absl::Status checkHostMemory(int64_t needed) {
  int64_t bytes = hostBytes(), addresses = addressBytes();
  if (needed <= std::min(bytes, addresses))
    return absl::OkStatus();
  return absl::ResourceExhaustedError(absl::StrFormat(
      "running it takes some %.1f GB, and %s %.1f GB; --engine=none only says what "
      "it would move and hold",
      needed / 1e9, addresses < bytes ? "this process may take" : "this machine has",
      std::min(bytes, addresses) / 1e9));
}

} // namespace spmd
