#include "spmd/lowering/program/Peak.h"

#include <algorithm>
#include <optional>
#include <tuple>

namespace spmd {

namespace {

/// Who shares memory with whom, while a function is walked: a load shares the tensor that its cell
/// holds, a store makes the cell share what is stored. Bytes are counted once for each share-group.
class Storages {
public:
  explicit Storages(const Function &function)
      : function(function), storageOf(function.values.size(), -1) {}

  void define(ValueId id) {
    storageOf[id] = static_cast<int64_t>(numHolders.size());
    numHolders.push_back(1);
    live += function.values[id].sizeInBytes();
  }
  /// `id` lets go of what it holds, and holds what `other` does.
  void share(ValueId id, ValueId other) {
    int64_t storage = storageOf[other];
    if (storage >= 0)
      ++numHolders[storage];
    release(id);
    storageOf[id] = storage;
  }
  /// `id` holds something of its own from here on.
  void part(ValueId id) {
    if (!isShared(id))
      return;
    release(id);
    define(id);
  }
  void release(ValueId id) {
    if (storageOf[id] >= 0 && --numHolders[storageOf[id]] == 0)
      live -= function.values[id].sizeInBytes();
    storageOf[id] = -1;
  }
  bool isShared(ValueId id) const { return storageOf[id] >= 0 && numHolders[storageOf[id]] > 1; }
  int64_t liveBytes() const { return live; }
  /// Returns a value for each tensor that is held.
  std::vector<ValueId> held() const {
    std::vector<ValueId> values;
    std::vector<bool> isListed(numHolders.size(), false);
    for (size_t id = 0; id < storageOf.size(); ++id)
      if (int64_t storage = storageOf[id]; storage >= 0 && !isListed[storage]) {
        isListed[storage] = true;
        values.push_back(static_cast<ValueId>(id));
      }
    return values;
  }

private:
  const Function &function;
  std::vector<int64_t> storageOf;  ///< By value; -1 if it holds nothing.
  std::vector<int64_t> numHolders; ///< By storage.
  int64_t live = 0;
};

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
    Storages storages(function);
    for (ValueId id = 0; id < function.numArguments; ++id)
      storages.define(id);
    int64_t peak = storages.liveBytes();
    for (const Instruction &instruction : function.instructions) {
      peak = std::max(peak, during(function, instruction, storages));
      apply(instruction, storages);
    }
    peaks[index] = peak;
    return peak;
  }

  /// Adds what is alive when function `index` reaches its peak.
  void describe(int32_t index, PeakMoment &moment) {
    const Function &function = program.functions[index];
    int64_t peak = peakOf(index);
    Storages storages(function);
    for (ValueId id = 0; id < function.numArguments; ++id)
      storages.define(id);
    for (const Instruction &instruction : function.instructions) {
      if (during(function, instruction, storages) == peak)
        return describeAt(index, instruction, storages, moment);
      apply(instruction, storages);
    }
    addHeld(index, storages.held(), {}, moment); // Nothing but its arguments.
  }

private:
  void describeAt(int32_t index, const Instruction &instruction, const Storages &storages,
                  PeakMoment &moment) {
    const Function &function = program.functions[index];
    moment.op = instruction.op;
    moment.location = instruction.location;
    int64_t before = storages.liveBytes() - bytesOf(function, instruction.operands);
    for (int32_t callee : bodiesOf(instruction))
      if (before + peakOf(callee) == peakOf(index)) {
        addHeld(index, storages.held(), instruction.operands, moment);
        return describe(callee, moment); // Chains of calls are as deep as those of peakOf.
      }
    std::vector<ValueId> held = storages.held();
    held.insert(held.end(), instruction.results.begin(), instruction.results.end());
    addHeld(index, held, {}, moment);
  }

  /// Adds what `held` values are, without those that are handed on.
  void addHeld(int32_t index, const std::vector<ValueId> &held, const std::vector<ValueId> &without,
               PeakMoment &moment) {
    const Function &function = program.functions[index];
    std::vector<const Instruction *> makers(function.values.size(), nullptr);
    for (const Instruction &instruction : function.instructions)
      for (ValueId id : instruction.results)
        makers[id] = &instruction;
    for (ValueId id : held) {
      if (std::count(without.begin(), without.end(), id) > 0)
        continue;
      PeakMoment::Held each;
      each.bytes = function.values[id].sizeInBytes();
      if (makers[id]) {
        each.op = makers[id]->op;
        each.location = makers[id]->location;
      } else if (index == program.entry) {
        each.argument = id;
      } // Else its caller made it, and does not count it there.
      moment.held.push_back(std::move(each));
    }
  }

  /// Returns the bytes alive while `instruction` runs; `storages` is as before it.
  int64_t during(const Function &function, const Instruction &instruction,
                 const Storages &storages) {
    int64_t live = storages.liveBytes();
    if (isAccess(instruction))
      return live;
    int64_t bytes =
        live + bytesOf(function, instruction.results) - reusable(function, instruction, storages);
    for (int32_t callee : bodiesOf(instruction))
      bytes = std::max(bytes, live - bytesOf(function, instruction.operands) + peakOf(callee));
    return bytes;
  }

  static void apply(const Instruction &instruction, Storages &storages) {
    if (instruction.op == "buffer_store")
      storages.share(instruction.operands[0], instruction.operands[1]);
    if (!bodiesOf(instruction).empty()) // A callee may have stored to its cells.
      for (ValueId id : instruction.operands)
        storages.part(id);
    for (ValueId id : instruction.results)
      if (isAccess(instruction))
        storages.share(id, instruction.operands[0]);
      else
        storages.define(id);
    if (instruction.attributes.contains("take"))
      storages.release(instruction.operands[0]);
    for (ValueId id : instruction.releases)
      storages.release(id);
  }

  /// Loads, stores, and cells that are made of a tensor: they copy nothing.
  static bool isAccess(const Instruction &instruction) {
    return instruction.op == "buffer_load" || instruction.op == "buffer_store" ||
           (instruction.op == "buffer_alloc" && !instruction.operands.empty());
  }

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
  static int64_t reusable(const Function &function, const Instruction &instruction,
                          const Storages &storages) {
    static constexpr const char *fresh[] = {"dot_general", "convolution",      "reduce",
                                            "transpose",   "reverse",          "gather",
                                            "concatenate", "broadcast_in_dim", "sort"};
    for (const char *op : fresh)
      if (instruction.op == op)
        return 0;
    std::vector<int64_t> free;
    for (ValueId id : instruction.releases)
      if (std::count(instruction.operands.begin(), instruction.operands.end(), id) == 1 &&
          !storages.isShared(id))
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

PeakMoment peakMoment(const DeviceProgram &program) {
  PeakCounter counter(program);
  PeakMoment moment;
  moment.bytes = counter.peakOf(program.entry);
  counter.describe(program.entry, moment);
  std::sort(moment.held.begin(), moment.held.end(), [](const auto &a, const auto &b) {
    return std::tie(b.bytes, a.argument, a.location, a.op) <
           std::tie(a.bytes, b.argument, b.location, b.op);
  });
  return moment;
}

} // namespace spmd
