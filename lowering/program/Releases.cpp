#include "spmd/lowering/program/Releases.h"

#include <algorithm>
#include <optional>

namespace spmd {

void planReleases(Function &function, absl::Span<const ValueId> released) {
  constexpr int32_t never = -1;
  std::vector<int32_t> lastUse(function.values.size(), never);
  for (size_t pc = 0; pc < function.instructions.size(); ++pc) {
    Instruction &instruction = function.instructions[pc];
    instruction.releases.clear();
    for (const auto *ids : {&instruction.operands, &instruction.results})
      for (ValueId id : *ids)
        lastUse[id] = pc;
  }
  for (ValueId id = 0; id < function.numArguments; ++id)
    if (std::find(released.begin(), released.end(), id) == released.end())
      lastUse[id] = never;
  for (ValueId id : function.results)
    lastUse[id] = never;
  for (ValueId id = 0; id < static_cast<ValueId>(lastUse.size()); ++id)
    if (lastUse[id] != never)
      function.instructions[lastUse[id]].releases.push_back(id);
}

void planReleases(DeviceProgram &program) {
  for (size_t i = 0; i < program.functions.size(); ++i) {
    Function &function = program.functions[i];
    bool isEntry = static_cast<int32_t>(i) == program.entry;
    std::vector<ValueId> released;
    for (ValueId id = 0; id < function.numArguments; ++id)
      if (!isEntry || (id < static_cast<ValueId>(program.arguments.size()) &&
                       program.arguments[id].aliases >= 0))
        released.push_back(id);
    planReleases(function, released);
  }
}

namespace {

/// Walks functions, callees first; remembers what each adds to the bytes its caller keeps.
class PeakCounter {
public:
  explicit PeakCounter(const DeviceProgram &program)
      : program(program), peaks(program.functions.size()) {}

  /// Returns the peak of one function, its arguments included while they are alive.
  int64_t peakOf(int32_t index) {
    if (peaks[index])
      return *peaks[index];
    const Function &function = program.functions[index];
    int64_t live = 0;
    for (ValueId id = 0; id < function.numArguments; ++id)
      live += function.values[id].sizeInBytes();
    int64_t peak = live;
    for (const Instruction &instruction : function.instructions) {
      int64_t released = bytesOf(function, instruction.releases);
      int64_t defined = bytesOf(function, instruction.results);
      int64_t during = live + defined - reusable(function, instruction);
      for (int32_t callee : bodiesOf(instruction))
        during = std::max(during, live - bytesOf(function, instruction.operands) + peakOf(callee));
      peak = std::max(peak, during);
      live += defined - released;
    }
    peaks[index] = peak;
    return peak;
  }

private:
  static int64_t bytesOf(const Function &function, absl::Span<const ValueId> ids) {
    int64_t bytes = 0;
    for (ValueId id : ids)
      bytes += function.values[id].sizeInBytes();
    return bytes;
  }

  /// Bodies of reductions work on scalars, and those of `fused` tile by tile: neither counts.
  static absl::Span<const int32_t> bodiesOf(const Instruction &instruction) {
    static constexpr const char *frames[] = {"call", "while", "if", "case"};
    for (const char *op : frames)
      if (instruction.op == op)
        return instruction.functions;
    return {};
  }

  /// Returns how many bytes of the results lie in buffers of operands that die here.
  static int64_t reusable(const Function &function, const Instruction &instruction) {
    static constexpr const char *fresh[] = {"dot_general", "convolution",      "reduce",
                                            "transpose",   "reverse",          "gather",
                                            "concatenate", "broadcast_in_dim", "sort"};
    for (const char *op : fresh)
      if (instruction.op == op)
        return 0;
    std::vector<int64_t> free;
    for (ValueId id : instruction.releases)
      if (std::count(instruction.operands.begin(), instruction.operands.end(), id) == 1)
        free.push_back(function.values[id].sizeInBytes());
    int64_t bytes = 0;
    for (ValueId id : instruction.results) {
      auto it = std::find(free.begin(), free.end(), function.values[id].sizeInBytes());
      if (it == free.end())
        continue;
      bytes += *it;
      free.erase(it);
    }
    return bytes;
  }

  const DeviceProgram &program;
  std::vector<std::optional<int64_t>> peaks;
};

} // namespace

int64_t peakBytes(const DeviceProgram &program) {
  return PeakCounter(program).peakOf(program.entry);
}

} // namespace spmd
