#include "spmd/lowering/program/Traffic.h"

#include "spmd/ir/reshard/WireBytes.h"
#include "spmd/lowering/program/CallOrder.h"

#include <algorithm>
#include <limits>

namespace spmd {

namespace {

using TrafficByKind = std::map<std::string, Traffic>;

class Counter {
public:
  explicit Counter(const DeviceProgram &program)
      : program(program), known(program.functions.size()) {}

  /// Functions are counted once and added for each call. Requires that none calls itself.
  const TrafficByKind &run() {
    absl::StatusOr<std::vector<int32_t>> order = calleesFirst(program);
    for (int32_t index : order.value_or(std::vector<int32_t>()))
      count(index);
    return known[program.entry];
  }

private:
  void count(int32_t index) {
    const Function &function = program.functions[index];
    for (const Instruction &instruction : function.instructions) {
      add(function, instruction, known[index]);
      if (isCollective(instruction.op))
        continue; // Its function is a reducer.
      for (int32_t callee : instruction.functions)
        addTimes(known[callee], instruction, known[index]);
    }
  }

  /// Adds what a function moves, as often as `caller` runs it.
  static void addTimes(const TrafficByKind &each, const Instruction &caller, TrafficByKind &sums) {
    bool isLoop = caller.op == "while";
    absl::StatusOr<int64_t> known = caller.attributes.get<int64_t>("trip_count");
    int64_t times = isLoop && known.ok() ? *known : 1;
    for (const auto &[kind, traffic] : each) {
      Traffic &sum = sums[kind];
      sum.count = plusTimes(sum.count, traffic.count, times);
      sum.operandBytes = plusTimes(sum.operandBytes, traffic.operandBytes, times);
      sum.wireBytes = plusTimes(sum.wireBytes, traffic.wireBytes, times);
      sum.hasUnknownTrips |= traffic.hasUnknownTrips || (isLoop && !known.ok());
    }
  }

  /// sum + each * times of numbers that are not negative.
  static int64_t plusTimes(int64_t sum, int64_t each, int64_t times) {
    int64_t product, result;
    return __builtin_mul_overflow(each, times, &product) ||
                   __builtin_add_overflow(sum, product, &result)
               ? std::numeric_limits<int64_t>::max()
               : result;
  }

  static bool isCollective(const std::string &op) {
    constexpr const char *kinds[] = {
        "all_gather",         "all_reduce",           "reduce_scatter",    "all_to_all",
        "collective_permute", "collective_broadcast", "collective_reduce", "ragged_all_to_all"};
    return std::find(std::begin(kinds), std::end(kinds), op) != std::end(kinds);
  }

  static int64_t bytesOf(const Function &function, const std::vector<ValueId> &values) {
    int64_t bytes = 0;
    for (ValueId value : values)
      bytes += function.values[value].sizeInBytes();
    return bytes;
  }

  int64_t groupSize(const Instruction &instruction) const {
    if (instruction.groups < 0)
      return program.numDevices;
    size_t size = 1;
    for (const std::vector<int64_t> &group : program.groups[instruction.groups])
      size = std::max(size, group.size());
    return static_cast<int64_t>(size);
  }

  static bool sendsToOthers(const Instruction &permute) {
    auto pairs = permute.attributes.get<std::vector<int64_t>>("source_target_pairs");
    if (!pairs.ok())
      return false;
    for (size_t i = 0; i + 1 < pairs->size(); i += 2)
      if ((*pairs)[i] != (*pairs)[i + 1])
        return true;
    return false;
  }

  void add(const Function &function, const Instruction &instruction, TrafficByKind &traffic) const {
    if (!isCollective(instruction.op))
      return;
    // Of a ragged exchange, the rows that may be sent; how many are is known only when it runs.
    std::vector<ValueId> sent = instruction.operands;
    if (instruction.op == "ragged_all_to_all" && !sent.empty())
      sent.resize(1);
    int64_t operand = bytesOf(function, sent), result = bytesOf(function, instruction.results);
    Traffic &sum = traffic[instruction.op];
    ++sum.count;
    sum.operandBytes += operand;
    sum.wireBytes +=
        wireBytes(instruction.op, operand, result, groupSize(instruction),
                  instruction.op == "collective_permute" && !sendsToOthers(instruction));
  }

  const DeviceProgram &program;
  std::vector<TrafficByKind> known; ///< By function.
};

} // namespace

std::map<std::string, Traffic> trafficOf(const DeviceProgram &program) {
  return Counter(program).run();
}

} // namespace spmd
