#include "spmd/lowering/compile/PromoteCells.h"

#include <numeric>

namespace spmd {

namespace {

class Promoter {
public:
  explicit Promoter(Function &function)
      : function(function), isCell(function.values.size(), false), held(function.values.size(), -1),
        valueOf(function.values.size()) {
    std::iota(valueOf.begin(), valueOf.end(), 0);
  }

  void run() {
    if (!findCells())
      return;
    std::vector<Instruction> kept;
    kept.reserve(function.instructions.size());
    for (Instruction &instruction : function.instructions) {
      for (ValueId &operand : instruction.operands)
        operand = valueOf[operand];
      if (!follow(instruction))
        kept.push_back(std::move(instruction));
    }
    function.instructions = std::move(kept);
    for (ValueId &result : function.results)
      result = valueOf[result];
  }

private:
  static bool isAccess(const Instruction &instruction) {
    return instruction.op == "buffer_load" || instruction.op == "buffer_store";
  }

  /// Returns whether there are any.
  bool findCells() {
    bool found = false;
    for (const Instruction &instruction : function.instructions)
      if (instruction.op == "buffer_alloc" && !instruction.operands.empty())
        found = isCell[instruction.results[0]] = true;
    for (const Instruction &instruction : function.instructions)
      for (size_t i = isAccess(instruction) ? 1 : 0; i < instruction.operands.size(); ++i)
        isCell[instruction.operands[i]] = false;
    for (ValueId result : function.results)
      isCell[result] = false;
    return found;
  }

  /// Notes what the cell holds or gives from here on. Returns false for what stays an instruction.
  bool follow(const Instruction &instruction) {
    if (instruction.op == "buffer_alloc" && isCell[instruction.results[0]]) {
      held[instruction.results[0]] = instruction.operands[0];
      return true;
    }
    if (!isAccess(instruction) || !isCell[instruction.operands[0]])
      return false;
    ValueId &content = held[instruction.operands[0]];
    if (instruction.op == "buffer_store")
      content = instruction.operands[1];
    else
      valueOf[instruction.results[0]] = content;
    return true;
  }

  Function &function;
  std::vector<bool> isCell;
  std::vector<ValueId> held;    ///< By cell: what it holds at this point.
  std::vector<ValueId> valueOf; ///< Of what is loaded, what was stored; else itself.
};

} // namespace

void promoteCells(DeviceProgram &program) {
  for (Function &function : program.functions)
    Promoter(function).run();
}

} // namespace spmd
