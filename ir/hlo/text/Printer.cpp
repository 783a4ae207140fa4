// HLO modules to text.

#include "spmd/ir/hlo/Hlo.h"
#include "spmd/ir/hlo/text/AttributeTable.h"
#include "spmd/ir/hlo/text/ModuleParser.h"
#include "spmd/ir/hlo/text/ShapeText.h"
#include "spmd/ir/hlo/text/ShardingText.h"

#include "absl/strings/str_cat.h"

#include <algorithm>

namespace spmd::hlo {

namespace {
class Printer {
public:
  Printer(const HloModuleProto &module, const PrintOptions &options)
      : module(module), options(options) {
    for (const HloComputationProto &computation : module.computations()) {
      names.computations[computation.id()] = &computation;
      for (const HloInstructionProto &instruction : computation.instructions())
        names.instructions[instruction.id()] = &instruction;
    }
  }

  std::string print() {
    absl::StrAppend(&text, "HloModule ", module.name());
    printModuleAttributes(module, text);
    text += "\n\n";
    if (options.metadata)
      printStackFrames(module.stack_frame_index(), text);
    for (const HloComputationProto &computation : module.computations())
      printComputation(computation);
    return std::move(text);
  }

private:
  void printComputation(const HloComputationProto &computation) {
    text += computation.id() == module.entry_computation_id() ? "ENTRY " : "";
    text += options.percent ? "%" : "";
    text += computation.name();
    if (options.percent)
      printSignature(computation);
    text += " {\n";
    for (const HloInstructionProto *instruction : inOrder(computation)) {
      text += instruction->id() == computation.root_id() ? "  ROOT " : "  ";
      printInstruction(*instruction);
      text += '\n';
    }
    text += '}';
    if (!computation.execution_thread().empty() && computation.execution_thread() != "main") {
      text += ", execution_thread=";
      printQuoted(computation.execution_thread(), text);
    }
    text += "\n\n";
  }

  void printSignature(const HloComputationProto &computation) {
    const ProgramShapeProto &shape = computation.program_shape();
    text += " (";
    for (int i = 0; i < shape.parameters_size(); ++i) {
      text += i ? ", " : "";
      if (i < shape.parameter_names_size())
        text += shape.parameter_names(i);
      else
        absl::StrAppend(&text, "p", i);
      text += ": ";
      printShape(shape.parameters(i), text, /*layouts=*/false);
    }
    text += ") -> ";
    printShape(shape.result(), text, /*layouts=*/false);
  }

  /// Returns the instructions of a computation, as scheduled if the schedule names each of them
  /// once.
  std::vector<const HloInstructionProto *> inOrder(const HloComputationProto &computation) {
    std::vector<const HloInstructionProto *> order;
    auto found = module.schedule().sequences().find(computation.id());
    if (found != module.schedule().sequences().end()) {
      absl::flat_hash_map<int64_t, const HloInstructionProto *> left;
      for (const HloInstructionProto &instruction : computation.instructions())
        left[instruction.id()] = &instruction;
      for (int64_t id : found->second.instruction_ids())
        if (auto node = left.extract(id))
          order.push_back(node.mapped());
      if (left.empty() && static_cast<int>(order.size()) == computation.instructions_size())
        return order;
      order.clear();
    }
    for (const HloInstructionProto &instruction : computation.instructions())
      order.push_back(&instruction);
    return order;
  }

  void printInstruction(const HloInstructionProto &instruction) {
    text += options.percent ? "%" : "";
    text += instruction.name();
    text += " = ";
    printShape(instruction.shape(), text);
    text += ' ';
    text += instruction.opcode();
    text += '(';
    if (instruction.opcode() == "constant")
      printLiteral(instruction.literal(), options.mostElements, text);
    else if (instruction.opcode() == "parameter")
      printInteger(instruction.parameter_number(), text);
    else
      printOperands(instruction);
    text += ')';
    AttributePrinter attributes{options, names, text};
    printAttributes(instruction, attributes);
  }

  void printOperands(const HloInstructionProto &instruction) {
    AttributePrinter operands{options, names, text};
    for (int i = 0; i < instruction.operand_ids_size(); ++i) {
      text += i ? ", " : "";
      if (options.percent && i && i % 5 == 0)
        absl::StrAppend(&text, "/*index=", i, "*/");
      int64_t id = instruction.operand_ids(i);
      auto found = names.instructions.find(id);
      if (options.operandShapes && found != names.instructions.end()) {
        printShape(found->second->shape(), text);
        text += ' ';
      }
      operands.instruction(id);
    }
  }

  const HloModuleProto &module;
  const PrintOptions &options;
  ModuleNames names;
  std::string text;
};
} // namespace

std::string printHlo(const HloModuleProto &module, const PrintOptions &options) {
  return Printer(module, options).print();
}

std::string printHloSharding(const OpSharding &sharding) {
  std::string text;
  printSharding(sharding, /*metadata=*/true, text);
  return text;
}

} // namespace spmd::hlo
