// Instructions: `[ROOT] %name = shape opcode(operands), attribute=value, ..`.

#include "spmd/ir/hlo/Opcodes.h"
#include "spmd/ir/hlo/text/ModuleParser.h"
#include "spmd/ir/hlo/text/ShapeText.h"

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"

namespace spmd::hlo {

static absl::string_view toAbsl(std::string_view text) { return {text.data(), text.size()}; }

bool ModuleParser::parseInstruction(Scope &scope) {
  bool isRoot = lexer.consumeWord("ROOT");
  const char *start = lexer.position();
  std::string_view name;
  if (!lexer.name(name, "an instruction or '}'"))
    return false;
  int place = scope.computation->instructions_size();
  if (!scope.instructions.emplace(toAbsl(name), place).second)
    return lexer.failAt(start, absl::StrCat("a second instruction is named '", toAbsl(name), "'"));
  HloInstructionProto &instruction = *scope.computation->add_instructions();
  instruction.set_name(name.data(), name.size());
  instruction.set_id(nextId++);
  if (isRoot && scope.root)
    return lexer.failAt(start, "the computation has a second ROOT");
  if (isRoot)
    scope.root = instruction.id();
  bool isAsync = false;
  if (!lexer.expect('=') || !parseShape(lexer, *instruction.mutable_shape()) ||
      !parseOpcode(instruction, isAsync) || !parseArguments(scope, place, instruction) ||
      !parseAttributes(scope, place, instruction))
    return false;
  setTextDefaults(instruction);
  return !isAsync || wrapAsync(scope, instruction);
}

/// Reads the opcode. `slice-start` is short for an `async-start` whose computation is one slice:
/// `isAsync` is then set and the opcode is that of the inner instruction.
bool ModuleParser::parseOpcode(HloInstructionProto &instruction, bool &isAsync) {
  const char *start = lexer.position();
  std::string_view word = lexer.word();
  if (!findOpcode(word)) {
    for (std::string_view suffix : {"-start", "-update", "-done"}) {
      if (!absl::EndsWith(toAbsl(word), toAbsl(suffix)) ||
          !findOpcode(word.substr(0, word.size() - suffix.size())))
        continue;
      isAsync = suffix == "-start";
      instruction.set_opcode(isAsync ? std::string(word.substr(0, word.size() - suffix.size()))
                                     : absl::StrCat("async", toAbsl(suffix)));
      return true;
    }
    lexer.moveTo(start);
    return lexer.failExpected("an opcode");
  }
  instruction.set_opcode(word.data(), word.size());
  return true;
}

bool ModuleParser::parseArguments(Scope &scope, int place, HloInstructionProto &instruction) {
  if (!lexer.expect('('))
    return false;
  if (instruction.opcode() == "parameter")
    return parseParameter(instruction);
  if (instruction.opcode() == "constant")
    return parseLiteral(lexer, instruction.shape(), *instruction.mutable_literal()) &&
           lexer.expect(')');
  int slot = 0;
  while (!lexer.consume(')')) {
    if (!parseOperand(scope, place, slot++, instruction))
      return false;
    if (!lexer.consume(',') && lexer.peek() != ')')
      return lexer.failExpected("',' or ')'");
  }
  return true;
}

bool ModuleParser::parseParameter(HloInstructionProto &instruction) {
  const char *start = lexer.position();
  int64_t number;
  if (!lexer.integer(number, "the number of the parameter"))
    return false;
  if (number < 0)
    return lexer.failAt(start, absl::StrCat("the number of the parameter is negative: ", number));
  instruction.set_parameter_number(number);
  return lexer.expect(')');
}

/// Reads `%x`, `x` or either with its shape before it.
bool ModuleParser::parseOperand(Scope &scope, int place, int slot,
                                HloInstructionProto &instruction) {
  const char *start = lexer.position();
  char next = lexer.peek();
  bool hasShape = next == '(';
  if (!hasShape && next != '%') {
    std::string_view word = lexer.word();
    hasShape = !word.empty() && (lexer.peek() == '[' || (word == "b" && lexer.peek() == '('));
    lexer.moveTo(start);
  }
  if (ShapeProto ignored; hasShape && !parseShape(lexer, ignored))
    return false;
  std::string_view name;
  if (!lexer.name(name, "an operand"))
    return false;
  auto found = scope.instructions.find(toAbsl(name));
  if (found != scope.instructions.end() && found->second != place) {
    instruction.add_operand_ids(scope.computation->instructions(found->second).id());
  } else {
    instruction.add_operand_ids(0);
    scope.forwards.push_back({place, slot, true, toAbsl(name)});
  }
  return true;
}

bool ModuleParser::parseAttributes(Scope &scope, int place, HloInstructionProto &instruction) {
  AttributeReader reader{lexer, instruction, {}, {}};
  while (lexer.consume(',')) {
    const char *start = lexer.position();
    std::string_view name = lexer.word();
    if (name.empty())
      return lexer.failExpected("the name of an attribute");
    if (!lexer.expect('=') || !readAttribute(name, start, reader))
      return false;
  }
  int slot = 0;
  for (const Reference &predecessor : reader.predecessors) {
    instruction.add_control_predecessor_ids(0);
    scope.forwards.push_back({place, slot++, false, toAbsl(predecessor.name)});
  }
  if (!reader.called.empty())
    calls.push_back({module.computations_size() - 1, place, std::move(reader.called)});
  return true;
}

/// Moves an instruction into a computation of its own that an `async-start` in its place calls.
///
/// The result of the start is a tuple of its operands, the instruction's result and what else the
/// backend needs.
bool ModuleParser::wrapAsync(Scope &scope, HloInstructionProto &instruction) {
  if (instruction.shape().element_type() != TUPLE || instruction.shape().tuple_shapes_size() < 2)
    return lexer.fail(absl::StrCat("the result of '", instruction.opcode(),
                                   "-start' is not a tuple of its operands, its result and more"));
  const ShapeProto &operands = instruction.shape().tuple_shapes(0);
  if (operands.tuple_shapes_size() != instruction.operand_ids_size())
    return lexer.fail(absl::StrCat("the result of '", instruction.opcode(),
                                   "-start' begins with a tuple of ", operands.tuple_shapes_size(),
                                   " operands, it has ", instruction.operand_ids_size()));
  if (!calls.empty() && &module.computations(calls.back().computation) == scope.computation &&
      calls.back().instruction == scope.computation->instructions_size() - 1)
    return lexer.fail(
        absl::StrCat("'", instruction.opcode(),
                     "-start' with a computation is not supported; write async-start"));
  HloComputationProto &body = wrapped.emplace_back();
  body.set_id(nextId++);
  body.set_name(absl::StrCat(instruction.name(), ".async"));
  while (computations.contains(body.name()) || !wrappedNames.insert(body.name()).second)
    body.set_name(absl::StrCat(body.name(), "_"));
  body.set_execution_thread(instruction.async_execution_thread());
  HloInstructionProto inner;
  inner.Swap(&instruction);
  instruction.set_name(inner.name());
  instruction.set_id(inner.id());
  instruction.set_opcode("async-start");
  *instruction.mutable_shape() = inner.shape();
  *instruction.mutable_operand_ids() = inner.operand_ids();
  instruction.set_async_execution_thread(inner.async_execution_thread());
  instruction.mutable_control_predecessor_ids()->Swap(inner.mutable_control_predecessor_ids());
  instruction.add_called_computation_ids(body.id());
  inner.clear_async_execution_thread();
  inner.clear_operand_ids();
  ShapeProto result = instruction.shape().tuple_shapes(1);
  *inner.mutable_shape() = result;
  inner.set_name(absl::StrCat(inner.name(), ".inner"));
  for (int i = 0; i < operands.tuple_shapes_size(); ++i) {
    HloInstructionProto &parameter = *body.add_instructions();
    parameter.set_name(absl::StrCat("operand.", i));
    parameter.set_opcode("parameter");
    parameter.set_parameter_number(i);
    *parameter.mutable_shape() = instruction.shape().tuple_shapes(0).tuple_shapes(i);
    parameter.set_id(nextId++);
    inner.add_operand_ids(parameter.id());
    *body.mutable_program_shape()->add_parameters() = parameter.shape();
    body.mutable_program_shape()->add_parameter_names(parameter.name());
  }
  inner.set_id(nextId++);
  body.set_root_id(inner.id());
  *body.mutable_program_shape()->mutable_result() = inner.shape();
  body.add_instructions()->Swap(&inner);
  return true;
}

} // namespace spmd::hlo
