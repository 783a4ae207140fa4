// Instructions: `[ROOT] %name = shape opcode(operands), attribute=value, ..`.

#include "spmd/ir/hlo/Opcodes.h"
#include "spmd/ir/hlo/text/ModuleParser.h"
#include "spmd/ir/hlo/text/ShapeText.h"

#include "absl/container/inlined_vector.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"

#include <algorithm>

namespace spmd::hlo {

static absl::string_view toAbsl(std::string_view text) { return {text.data(), text.size()}; }

bool ModuleParser::parseInstruction(Scope &scope) {
  bool isRoot = lexer.consumeWord("ROOT");
  const char *start = lexer.position();
  notePlace();
  std::string_view name;
  if (!lexer.name(name, "an instruction or '}'"))
    return false;
  int place = scope.computation->instructions_size();
  if (!scope.instructions.emplace(toAbsl(name), place).second)
    return lexer.failAt(start, absl::StrCat("a second instruction is named '", toAbsl(name), "'"));
  HloInstructionProto &instruction = *scope.computation->add_instructions();
  instruction.set_name(name.data(), name.size());
  instruction.set_id(nextId++);
  scope.last = instruction.id();
  if (isRoot && scope.root)
    return lexer.failAt(start, "the computation has a second ROOT");
  if (isRoot)
    scope.root = instruction.id();
  bool isAsync = false;
  if (!lexer.expect('=') || !parseResultShape(start, instruction) ||
      !parseOpcode(scope, instruction, isAsync) || !parseArguments(scope, place, instruction) ||
      !parseAttributes(scope, place, instruction))
    return false;
  setTextDefaults(instruction);
  return !isAsync || wrapAsync(place, instruction);
}

/// Reads the shape of a result. Some write none where it follows from the operands: `r = add(x,
/// y)`. It is inferred when these are known; `start` is where its message stands.
bool ModuleParser::parseResultShape(const char *start, HloInstructionProto &instruction) {
  if (!isNested())
    return parseShape(lexer, *instruction.mutable_shape());
  noteUnshaped(start, instruction);
  return true;
}

void ModuleParser::noteUnshaped(const char *start, const HloInstructionProto &instruction) {
  unshaped.emplace(instruction.id(), start);
}

/// Reads the opcode. `slice-start` is short for an `async-start` whose computation is one slice:
/// `isAsync` is then set and the opcode is that of the inner instruction.
bool ModuleParser::parseOpcode(const Scope &scope, HloInstructionProto &instruction,
                               bool &isAsync) {
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
    if (word.empty())
      return lexer.failExpected("an opcode");
    return lexer.failAt(start, absl::StrCat("computation '", scope.computation->name(),
                                            "': opcode '", toAbsl(word), "' is not known"));
  }
  instruction.set_opcode(word.data(), word.size());
  return true;
}

bool ModuleParser::parseArguments(Scope &scope, int place, HloInstructionProto &instruction) {
  if (!lexer.expect('('))
    return false;
  if (instruction.opcode() == "parameter")
    return parseParameter(instruction);
  if (instruction.opcode() == "constant" && !instruction.has_shape())
    return lexer.fail("a constant has no shape; write it before the opcode");
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

/// Reads `%x`, `x`, `x#1` or any with its shape before it; or an instruction in its place.
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
  ShapeProto shape;
  if (hasShape && !parseShape(lexer, shape))
    return false;
  if (isNested())
    return parseNested(scope, std::move(shape), instruction);
  std::string_view name;
  if (!lexer.name(name, "an operand"))
    return false;
  if (lexer.peek() == '#')
    return parseElement(scope, name, instruction);
  addReference(scope, place, slot, name, instruction);
  return true;
}

void ModuleParser::addReference(Scope &scope, int place, int slot, std::string_view name,
                                HloInstructionProto &instruction) {
  auto found = scope.instructions.find(toAbsl(name));
  if (found != scope.instructions.end() && found->second != place) {
    instruction.add_operand_ids(scope.computation->instructions(found->second).id());
  } else {
    instruction.add_operand_ids(0);
    scope.forwards.push_back({place, slot, true, toAbsl(name)});
  }
}

bool ModuleParser::parseAttributes(Scope &scope, int place, HloInstructionProto &instruction) {
  AttributeReader reader{lexer, instruction, {}, {}};
  absl::InlinedVector<std::string_view, 16> seen;
  while (lexer.consume(',')) {
    const char *start = lexer.position();
    std::string_view name = lexer.word();
    if (name.empty())
      return lexer.failExpected("the name of an attribute");
    if (std::find(seen.begin(), seen.end(), name) != seen.end())
      return lexer.failAt(start, absl::StrCat("attribute '", toAbsl(name), "' is given twice"));
    seen.push_back(name);
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

} // namespace spmd::hlo
