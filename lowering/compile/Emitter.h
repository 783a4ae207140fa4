// Where instructions go while a function is compiled.
#pragma once

#include "spmd/lowering/program/DeviceProgram.h"

#include <map>

namespace spmd {

/// The constants of a program, each held once.
class ConstantPool {
public:
  explicit ConstantPool(DeviceProgram &program) : program(program) {}

  /// Returns the number of the entry that holds `bytes`.
  int64_t add(const std::string &bytes) {
    auto [entry, isNew] = entries.try_emplace(bytes, program.constants.size());
    if (isNew)
      program.constants.push_back(bytes);
    return entry->second;
  }

private:
  DeviceProgram &program;
  std::map<std::string, int64_t> entries;
};

/// Appends instructions to one function, which is none of `program.functions` yet.
struct Emitter {
  DeviceProgram &program;
  Function &function;
  ConstantPool &constants;
  std::string location;

  /// Appends an instruction with one result, which is returned.
  ValueId add(std::string op, std::vector<ValueId> operands, TensorType type,
              Attributes attributes = {}) {
    Instruction instruction;
    instruction.op = std::move(op);
    instruction.operands = std::move(operands);
    instruction.results = {static_cast<ValueId>(function.values.size())};
    instruction.attributes = std::move(attributes);
    instruction.location = location;
    function.values.push_back(std::move(type));
    function.instructions.push_back(std::move(instruction));
    return function.values.size() - 1;
  }

  /// By value: what is added next may move the list of values.
  TensorType typeOf(ValueId value) const { return function.values[value]; }

  /// Adds `(a, b) -> op(a, b)` on scalars to the program and returns its number.
  int32_t addBody(const char *op, ElementType element) {
    Function body;
    body.name = op;
    body.values = {{element, {}}, {element, {}}};
    body.numArguments = 2;
    Emitter inner{program, body, constants, location};
    body.results = {inner.add(op, {0, 1}, {element, {}})};
    program.functions.push_back(std::move(body));
    return program.functions.size() - 1;
  }

  /// Returns a constant: its elements as stored, or one of them for all (`isSplat`).
  ValueId constant(TensorType type, const std::string &bytes, bool isSplat) {
    Attributes attributes{{"pool", constants.add(bytes)}};
    if (isSplat)
      attributes.set("splat", true);
    return add("constant", {}, std::move(type), std::move(attributes));
  }
};

} // namespace spmd
