// The module as a whole: what refers to what.

#include "spmd/ir/hlo/Hlo.h"
#include "spmd/ir/hlo/Opcodes.h"
#include "spmd/ir/hlo/VerifyParts.h"

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/strings/str_cat.h"

#include <algorithm>

namespace spmd::hlo {

namespace {
class Verifier {
public:
  Verifier(const HloModuleProto &module, const TextPlaces *places)
      : module(module), places(places) {}

  absl::Status verify() {
    for (const HloComputationProto &computation : module.computations()) {
      if (absl::Status status = verifyComputation(computation); !status.ok())
        return status;
      if (!computations.emplace(computation.id(), &computation).second)
        return error(computation.id(), absl::StrCat("computation '", computation.name(),
                                                    "' has the id of another: ", computation.id()));
    }
    return verifyModule();
  }

private:
  using Instructions = absl::flat_hash_map<int64_t, const HloInstructionProto *>;

  /// `id` is of the instruction or computation that is spoken of, 0 for the module.
  absl::Status error(int64_t id, const std::string &message) const {
    if (!places)
      return absl::InvalidArgumentError(message);
    TextPlaces::Place place = places->of(id);
    return absl::InvalidArgumentError(absl::StrCat(place.line, ":", place.column, ": ", message));
  }

  absl::Status error(const HloComputationProto &computation, const HloInstructionProto &instruction,
                     const std::string &finding) const {
    return error(instruction.id(), absl::StrCat("instruction '", instruction.name(), "' of '",
                                                computation.name(), "' ", finding));
  }

  /// Operands come before their users and callees before their callers, so nothing depends on
  /// itself.
  absl::Status verifyComputation(const HloComputationProto &computation) {
    Instructions instructions;
    instructions.reserve(computation.instructions_size());
    std::vector<bool> parameters;
    for (const HloInstructionProto &instruction : computation.instructions()) {
      if (Finding finding = checkInstruction(instruction, instructions))
        return error(computation, instruction, *finding);
      if (!instructions.emplace(instruction.id(), &instruction).second ||
          !allIds.insert(instruction.id()).second)
        return error(computation, instruction,
                     absl::StrCat("has the id of another: ", instruction.id()));
      if (instruction.opcode() != "parameter")
        continue;
      int64_t number = instruction.parameter_number();
      if (number < 0 || number >= computation.instructions_size())
        return error(computation, instruction,
                     absl::StrCat("is the parameter with number ", number));
      parameters.resize(std::max<size_t>(parameters.size(), number + 1));
      if (parameters[number])
        return error(computation, instruction,
                     absl::StrCat("is a second parameter with number ", number));
      parameters[number] = true;
    }
    auto inComputation = [&](absl::string_view finding) {
      return error(computation.id(),
                   absl::StrCat("computation '", computation.name(), "' ", finding));
    };
    for (size_t i = 0; i < parameters.size(); ++i)
      if (!parameters[i])
        return inComputation(absl::StrCat("has no parameter with number ", i));
    if (!instructions.contains(computation.root_id()))
      return inComputation(
          absl::StrCat("has no instruction with the id of its root: ", computation.root_id()));
    if (computation.program_shape().parameters_size() != static_cast<int>(parameters.size()))
      return inComputation(absl::StrCat("has ", parameters.size(),
                                        " parameters, its program shape ",
                                        computation.program_shape().parameters_size()));
    return absl::OkStatus();
  }

  Finding checkInstruction(const HloInstructionProto &instruction, const Instructions &before) {
    const OpcodeInfo *info = findOpcode(instruction.opcode());
    if (!info)
      return absl::StrCat("has the unknown opcode '", instruction.opcode(), "'");
    if (Finding finding = checkShape(instruction.shape()))
      return finding;
    std::vector<const ShapeProto *> operands;
    if (Finding finding = findOperands(instruction, before, operands))
      return finding;
    int count = instruction.operand_ids_size();
    if (count < info->leastOperands || (info->mostOperands >= 0 && count > info->mostOperands))
      return absl::StrCat("has ", count, " operands, '", instruction.opcode(), "' takes ",
                          info->mostOperands == info->leastOperands ? "" : "at least ",
                          info->leastOperands);
    if (Finding finding = checkCalled(instruction, *info))
      return finding;
    if (instruction.opcode() == "constant")
      if (Finding finding = checkLiteral(instruction.literal(), instruction.shape()))
        return finding;
    if (instruction.has_sharding())
      if (Finding finding = checkSharding(instruction.sharding(), instruction.shape()))
        return finding;
    for (const ShapeProto &shape : instruction.operand_shapes_with_layout())
      if (Finding finding = checkShape(shape))
        return finding;
    if (Finding finding = checkGroups(instruction))
      return finding;
    return checkAttributes(instruction, operands);
  }

  static Finding findOperands(const HloInstructionProto &instruction, const Instructions &before,
                              std::vector<const ShapeProto *> &operands) {
    for (int64_t id : instruction.operand_ids()) {
      auto operand = before.find(id);
      if (operand == before.end())
        return absl::StrCat("has an operand with id ", id, ", which is no instruction before it");
      operands.push_back(&operand->second->shape());
    }
    for (int64_t id : instruction.control_predecessor_ids())
      if (!before.contains(id))
        return absl::StrCat("has a control predecessor with id ", id,
                            ", which is no instruction before it");
    return {};
  }

  Finding checkCalled(const HloInstructionProto &instruction, const OpcodeInfo &info) {
    for (int64_t id : instruction.called_computation_ids())
      if (!computations.contains(id))
        return absl::StrCat("calls a computation with id ", id, ", which is none before its own");
    int count = instruction.called_computation_ids_size();
    if (count < info.leastCalled || (info.mostCalled >= 0 && count > info.mostCalled))
      return absl::StrCat("calls ", count, " computations, '", instruction.opcode(), "' calls ",
                          info.mostCalled == info.leastCalled ? "" : "at least ", info.leastCalled);
    return {};
  }

  absl::Status verifyModule() {
    auto entry = computations.find(module.entry_computation_id());
    if (entry == computations.end())
      return error(0, absl::StrCat("the module has no computation with the id of its entry: ",
                                   module.entry_computation_id()));
    const ProgramShapeProto &host = module.host_program_shape();
    const ProgramShapeProto &shape = entry->second->program_shape();
    if (module.has_host_program_shape() && host.parameters_size() != shape.parameters_size())
      return error(0, absl::StrCat("the layout of the entry has ", host.parameters_size(),
                                   " parameters, the entry ", shape.parameters_size()));
    for (const auto *program : {&host, &shape}) {
      for (const ShapeProto &parameter : program->parameters())
        if (Finding finding = checkShape(parameter))
          return error(0, absl::StrCat("a parameter of the entry ", *finding));
      if (program->has_result())
        if (Finding finding = checkShape(program->result()))
          return error(0, absl::StrCat("the result of the entry ", *finding));
    }
    if (module.has_host_program_shape())
      if (Finding finding = checkLayouts(host, shape))
        return error(0, "the layout of the entry " + *finding);
    return verifyAliases(shape);
  }

  /// The shapes that only add layouts to those of the entry are these shapes.
  static Finding checkLayouts(const ProgramShapeProto &host, const ProgramShapeProto &shape) {
    for (int i = 0; i < host.parameters_size(); ++i)
      if (!isSameArray(host.parameters(i), shape.parameters(i)))
        return absl::StrCat("gives parameter ", i, " another shape than the entry");
    if (host.has_result() && shape.has_result() && !isSameArray(host.result(), shape.result()))
      return "gives the result another shape than the entry";
    return {};
  }

  /// Whether two shapes differ in layouts at most.
  static bool isSameArray(const ShapeProto &a, const ShapeProto &b) {
    auto isSame = [](const ShapeProto &x, const ShapeProto &y) { return isSameArray(x, y); };
    return a.element_type() == b.element_type() &&
           std::equal(a.dimensions().begin(), a.dimensions().end(), b.dimensions().begin(),
                      b.dimensions().end()) &&
           std::equal(a.tuple_shapes().begin(), a.tuple_shapes().end(), b.tuple_shapes().begin(),
                      b.tuple_shapes().end(), isSame);
  }

  /// Aliases and donors name parts of parameters and results that exist.
  absl::Status verifyAliases(const ProgramShapeProto &shape) const {
    auto partExists = [&](int64_t number, const auto &index) {
      return number >= 0 && number < shape.parameters_size() &&
             findPart(shape.parameters(static_cast<int>(number)), index);
    };
    for (const auto &entry : module.input_output_alias().entries()) {
      if (!findPart(shape.result(), entry.output_shape_index()))
        return error(0, "input_output_alias names a part of the result that does not exist");
      if (!partExists(entry.parameter_number(), entry.parameter_shape_index()))
        return error(0, absl::StrCat("input_output_alias names parameter ",
                                     entry.parameter_number(), " or a part that does not exist"));
    }
    for (const auto &entry : module.buffer_donor().entries())
      if (!partExists(entry.parameter_number(), entry.parameter_shape_index()))
        return error(0, absl::StrCat("buffer_donor names parameter ", entry.parameter_number(),
                                     " or a part that does not exist"));
    return absl::OkStatus();
  }

  const HloModuleProto &module;
  const TextPlaces *places;
  absl::flat_hash_map<int64_t, const HloComputationProto *> computations;
  absl::flat_hash_set<int64_t> allIds;
};
} // namespace

absl::Status verify(const HloModuleProto &module, const TextPlaces *places) {
  return Verifier(module, places).verify();
}

} // namespace spmd::hlo
