// The module as a whole: what refers to what.

#include "spmd/ir/hlo/Hlo.h"
#include "spmd/ir/hlo/Opcodes.h"
#include "spmd/ir/hlo/VerifyParts.h"

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/strings/str_cat.h"

namespace spmd::hlo {

namespace {
class Verifier {
public:
  explicit Verifier(const HloModuleProto &module) : module(module) {}

  absl::Status verify() {
    for (const HloComputationProto &computation : module.computations()) {
      if (absl::Status status = verifyComputation(computation); !status.ok())
        return status;
      if (!computations.emplace(computation.id(), &computation).second)
        return absl::InvalidArgumentError(absl::StrCat(
            "computation '", computation.name(), "' has the id of another: ", computation.id()));
    }
    return verifyModule();
  }

private:
  using Instructions = absl::flat_hash_map<int64_t, const HloInstructionProto *>;

  static absl::Status error(const HloComputationProto &computation,
                            const HloInstructionProto &instruction, const std::string &finding) {
    return absl::InvalidArgumentError(absl::StrCat("instruction '", instruction.name(), "' of '",
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
      return absl::InvalidArgumentError(
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
      return absl::InvalidArgumentError(
          absl::StrCat("the module has no computation with the id of its entry: ",
                       module.entry_computation_id()));
    const ProgramShapeProto &host = module.host_program_shape();
    const ProgramShapeProto &shape = entry->second->program_shape();
    if (module.has_host_program_shape() && host.parameters_size() != shape.parameters_size())
      return absl::InvalidArgumentError(
          absl::StrCat("the layout of the entry has ", host.parameters_size(),
                       " parameters, the entry ", shape.parameters_size()));
    for (const auto *program : {&host, &shape}) {
      for (const ShapeProto &parameter : program->parameters())
        if (Finding finding = checkShape(parameter))
          return absl::InvalidArgumentError(absl::StrCat("a parameter of the entry ", *finding));
      if (program->has_result())
        if (Finding finding = checkShape(program->result()))
          return absl::InvalidArgumentError(absl::StrCat("the result of the entry ", *finding));
    }
    return verifyAliases(shape);
  }

  /// Aliases and donors name parts of parameters and results that exist.
  absl::Status verifyAliases(const ProgramShapeProto &shape) {
    auto partExists = [&](int64_t number, const auto &index) {
      return number >= 0 && number < shape.parameters_size() &&
             findPart(shape.parameters(static_cast<int>(number)), index);
    };
    for (const auto &entry : module.input_output_alias().entries()) {
      if (!findPart(shape.result(), entry.output_shape_index()))
        return absl::InvalidArgumentError(
            "input_output_alias names a part of the result that does not exist");
      if (!partExists(entry.parameter_number(), entry.parameter_shape_index()))
        return absl::InvalidArgumentError(absl::StrCat("input_output_alias names parameter ",
                                                       entry.parameter_number(),
                                                       " or a part that does not exist"));
    }
    for (const auto &entry : module.buffer_donor().entries())
      if (!partExists(entry.parameter_number(), entry.parameter_shape_index()))
        return absl::InvalidArgumentError(absl::StrCat("buffer_donor names parameter ",
                                                       entry.parameter_number(),
                                                       " or a part that does not exist"));
    return absl::OkStatus();
  }

  const HloModuleProto &module;
  absl::flat_hash_map<int64_t, const HloComputationProto *> computations;
  absl::flat_hash_set<int64_t> allIds;
};
} // namespace

absl::Status verify(const HloModuleProto &module) { return Verifier(module).verify(); }

} // namespace spmd::hlo
