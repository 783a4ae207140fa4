#include "spmd/lowering/compile/Inline.h"

#include "spmd/lowering/program/CallOrder.h"

#include <algorithm>

namespace spmd {

/// A function of more instructions is copied to no second place.
static constexpr size_t maxCopied = 32;

namespace {

class Inliner {
public:
  explicit Inliner(DeviceProgram &program) : program(program) {}

  void run() {
    absl::StatusOr<std::vector<int32_t>> order = calleesFirst(program);
    if (!order.ok())
      return;
    countUses();
    for (int32_t index : *order)
      if (std::any_of(program.functions[index].instructions.begin(),
                      program.functions[index].instructions.end(),
                      [&](const Instruction &each) { return isInlined(each); }))
        program.functions[index] = rewritten(program.functions[index]);
    dropUnused(*order);
  }

private:
  void countUses() {
    uses.assign(program.functions.size(), 0);
    ++uses[program.entry];
    for (const auto *roots : {&program.entries, &program.infeed})
      for (int32_t root : *roots)
        ++uses[root];
    for (const Function &function : program.functions)
      for (const Instruction &instruction : function.instructions)
        for (int32_t used : instruction.functions)
          ++uses[used];
  }

  bool isInlined(const Instruction &instruction) const {
    if (instruction.op != "call")
      return false;
    const Function &callee = program.functions[instruction.functions[0]];
    return (uses[instruction.functions[0]] == 1 || callee.instructions.size() <= maxCopied) &&
           static_cast<size_t>(callee.numArguments) == instruction.operands.size() &&
           callee.results.size() == instruction.results.size();
  }

  /// A function that is being written: values of another function, renumbered.
  struct Copy {
    const Function &from;
    Function &to;
    std::vector<ValueId> numbers; ///< By value of `from`.

    ValueId define(ValueId value) {
      to.values.push_back(from.values[value]);
      return numbers[value] = static_cast<ValueId>(to.values.size() - 1);
    }
    void append(Instruction instruction) {
      instruction.releases.clear();
      for (ValueId &operand : instruction.operands)
        operand = numbers[operand];
      for (ValueId &result : instruction.results)
        result = define(result);
      to.instructions.push_back(std::move(instruction));
    }
  };

  Function rewritten(const Function &function) const {
    Function out;
    out.name = function.name;
    out.numArguments = function.numArguments;
    Copy copy{function, out, std::vector<ValueId>(function.values.size(), -1)};
    for (ValueId argument = 0; argument < function.numArguments; ++argument)
      copy.define(argument);
    for (const Instruction &instruction : function.instructions) {
      if (isInlined(instruction))
        putInPlace(instruction, copy);
      else
        copy.append(instruction);
    }
    for (ValueId result : function.results)
      out.results.push_back(copy.numbers[result]);
    return out;
  }

  /// Writes what `call` runs. Its results become other names of what the callee returns.
  void putInPlace(const Instruction &call, Copy &caller) const {
    const Function &callee = program.functions[call.functions[0]];
    Copy copy{callee, caller.to, std::vector<ValueId>(callee.values.size(), -1)};
    for (size_t i = 0; i < call.operands.size(); ++i)
      copy.numbers[i] = caller.numbers[call.operands[i]];
    for (const Instruction &instruction : callee.instructions)
      copy.append(instruction);
    for (size_t i = 0; i < call.results.size(); ++i)
      caller.numbers[call.results[i]] = copy.numbers[callee.results[i]];
  }

  /// Callers come before callees here: the order is walked backwards.
  void dropUnused(const std::vector<int32_t> &order) {
    countUses();
    for (auto index = order.rbegin(); index != order.rend(); ++index) {
      if (uses[*index] > 0)
        continue;
      Function &function = program.functions[*index];
      for (const Instruction &instruction : function.instructions)
        for (int32_t used : instruction.functions)
          --uses[used];
      function.values.resize(function.numArguments);
      function.instructions.clear();
      function.results.clear();
    }
  }

  DeviceProgram &program;
  std::vector<int32_t> uses; ///< By function: how many instructions and starts of devices name it.
};

} // namespace

void inlineCalls(DeviceProgram &program) { Inliner(program).run(); }

} // namespace spmd
