// What text may abbreviate: an instruction or an element of a tuple in place of an operand, an
// asynchronous instruction in place of a computation, a computation in place of its name, and the
// shape of a result.

#include "spmd/ir/hlo/InferShape.h"
#include "spmd/ir/hlo/Opcodes.h"
#include "spmd/ir/hlo/text/ModuleParser.h"
#include "spmd/ir/hlo/text/ShapeText.h"

#include "absl/strings/str_cat.h"

namespace spmd::hlo {

/// Whether an instruction stands here: no name is followed by a parenthesis.
bool ModuleParser::isNested() {
  const char *start = lexer.position();
  std::string_view word = lexer.word();
  bool found = !word.empty() && lexer.peek() == '(' && findOpcode(word);
  lexer.moveTo(start);
  return found;
}

/// Adds an instruction without a name; it gets one when all others are known.
HloInstructionProto &ModuleParser::addUnnamed(Scope &scope, ShapeProto shape) {
  scope.unnamed.push_back(scope.computation->instructions_size());
  HloInstructionProto &added = *scope.computation->add_instructions();
  added.set_id(nextId++);
  *added.mutable_shape() = std::move(shape);
  return added;
}

/// Reads `opcode(operands)` behind its shape, as an operand of `user`.
bool ModuleParser::parseNested(Scope &scope, ShapeProto shape, HloInstructionProto &user) {
  const char *start = lexer.position();
  bool hasShape = shape.element_type() != PRIMITIVE_TYPE_INVALID;
  Lexer::Nesting nesting(lexer);
  if (!nesting.check())
    return false;
  int place = scope.computation->instructions_size();
  HloInstructionProto &nested = addUnnamed(scope, std::move(shape));
  if (!hasShape) {
    nested.clear_shape();
    noteUnshaped(start, nested);
  }
  user.add_operand_ids(nested.id());
  bool isAsync = false; // Stays so: the opcode is one.
  if (!parseOpcode(scope, nested, isAsync) || !parseArguments(scope, place, nested))
    return false;
  setTextDefaults(nested);
  return true;
}

/// Reads `#1#0` behind the name of a tuple, as an operand of `user`.
bool ModuleParser::parseElement(Scope &scope, std::string_view name, HloInstructionProto &user) {
  HloInstructionProto *taken = nullptr;
  const char *start = lexer.position();
  while (lexer.consume('#')) {
    int64_t index;
    if (!lexer.integer(index, "the number of an element"))
      return false;
    int place = scope.computation->instructions_size();
    HloInstructionProto &element = addUnnamed(scope, {});
    element.set_opcode("get-tuple-element");
    element.set_tuple_index(index);
    if (taken)
      element.add_operand_ids(taken->id());
    else
      addReference(scope, place, 0, name, element);
    scope.elements.push_back({place, start});
    taken = &element;
  }
  user.add_operand_ids(taken->id());
  return true;
}

/// Fills in the shapes of elements, in the order of the text: those of an element of an element
/// come later.
bool ModuleParser::finishElements(Scope &scope) {
  absl::flat_hash_map<int64_t, const ShapeProto *> shapes;
  if (!scope.elements.empty())
    for (const HloInstructionProto &each : scope.computation->instructions())
      shapes[each.id()] = &each.shape();
  for (const Element &element : scope.elements) {
    HloInstructionProto &instruction =
        *scope.computation->mutable_instructions(element.instruction);
    const ShapeProto &tuple = *shapes[instruction.operand_ids(0)];
    int64_t index = instruction.tuple_index();
    if (tuple.element_type() == PRIMITIVE_TYPE_INVALID) {
      instruction.clear_shape();
      noteUnshaped(element.start, instruction);
      continue;
    }
    if (index < 0 || index >= tuple.tuple_shapes_size())
      return lexer.failAt(element.start, absl::StrCat("there is no element ", index, " of ",
                                                      tuple.tuple_shapes_size()));
    *instruction.mutable_shape() = tuple.tuple_shapes(static_cast<int>(index));
  }
  return true;
}

/// Infers the shapes that nobody wrote, callees first, and what the module says of its
/// computations.
bool ModuleParser::inferShapes() {
  if (unshaped.empty())
    return true;
  ShapesById results; // Of computations.
  for (HloComputationProto &computation : *module.mutable_computations()) {
    ShapesById shapes;
    for (HloInstructionProto &instruction : *computation.mutable_instructions()) {
      auto found = unshaped.find(instruction.id());
      if (found != unshaped.end() && !inferShape(found->second, shapes, results, instruction))
        return false;
      shapes[instruction.id()] = &instruction.shape();
    }
    const ShapeProto &result = *shapes[computation.root_id()];
    *computation.mutable_program_shape()->mutable_result() = result;
    results[computation.id()] = &result;
    ShapeProto &host = *module.mutable_host_program_shape()->mutable_result();
    if (computation.id() == module.entry_computation_id() &&
        host.element_type() == PRIMITIVE_TYPE_INVALID)
      host = result;
  }
  return true;
}

bool ModuleParser::inferShape(const char *start, const ShapesById &shapes,
                              const ShapesById &results, HloInstructionProto &instruction) {
  auto find = [](const ShapesById &known, const auto &ids) {
    std::vector<const ShapeProto *> found;
    for (int64_t id : ids)
      if (auto each = known.find(id); each != known.end())
        found.push_back(each->second);
    return found;
  };
  absl::StatusOr<ShapeProto> shape =
      hlo::inferShape(instruction, find(shapes, instruction.operand_ids()),
                      find(results, instruction.called_computation_ids()));
  if (!shape.ok())
    return lexer.failAt(start, absl::StrCat("instruction '", instruction.name(),
                                            "' has no shape before '", instruction.opcode(),
                                            "': ", std::string(shape.status().message()),
                                            "; write the shape"));
  *instruction.mutable_shape() = *std::move(shape);
  return true;
}

void ModuleParser::nameUnnamed(Scope &scope) {
  for (int place : scope.unnamed) {
    HloInstructionProto &instruction = *scope.computation->mutable_instructions(place);
    do
      instruction.set_name(absl::StrCat(instruction.opcode(), ".", scope.unnamedNumber++));
    while (scope.instructions.contains(instruction.name()));
  }
}

/// Reads the computations that stand in place of their names, as in dumps that are to be compared:
/// `calls={ x = f32[] parameter(0) .. }`. What these call is read after them.
bool ModuleParser::parseInlineComputations() {
  for (size_t call = 0; call < calls.size(); ++call) // Grows.
    for (size_t i = 0; i < calls[call].called.size(); ++i)
      if (calls[call].called[i].name.front() == '{' && !parseInline(call, i))
        return false;
  return true;
}

bool ModuleParser::parseInline(size_t call, size_t reference) {
  const char *start = calls[call].called[reference].name.data();
  int depth = calls[call].depth + 1;
  if (depth > Lexer::mostNested)
    return lexer.failAt(start, "more than 100 nested levels");
  lexer.moveTo(start);
  if (start < counted) { // Once for each level: those of one level stand in order.
    counted = line = begin;
    here = {};
  }
  int place = module.computations_size();
  Scope scope;
  scope.computation = module.add_computations();
  notePlace();
  scope.computation->set_id(nextId++);
  do
    scope.computation->set_name(absl::StrCat("computation.", ++inlineNumber));
  while (!computations.emplace(scope.computation->name(), place).second);
  calls[call].called[reference].name = scope.computation->name();
  size_t firstInside = calls.size();
  if (!parseBody(scope) || !finishComputation(scope))
    return false;
  for (size_t inside = firstInside; inside < calls.size(); ++inside)
    calls[inside].depth = depth;
  isReordered = true;
  return true;
}

/// Moves an instruction into a computation of its own that an `async-start` in its place calls.
///
/// The result of the start is a tuple of its operands, the instruction's result and what else the
/// backend needs.
bool ModuleParser::wrapAsync(int place, HloInstructionProto &instruction) {
  if (instruction.shape().element_type() != TUPLE || instruction.shape().tuple_shapes_size() < 2)
    return lexer.fail(absl::StrCat("the result of '", instruction.opcode(),
                                   "-start' is not a tuple of its operands, its result and more"));
  ShapeProto operands = instruction.shape().tuple_shapes(0);
  if (operands.tuple_shapes_size() != instruction.operand_ids_size())
    return lexer.fail(absl::StrCat("the result of '", instruction.opcode(),
                                   "-start' begins with a tuple of ", operands.tuple_shapes_size(),
                                   " operands, it has ", instruction.operand_ids_size()));
  // What the instruction calls, its last reader of attributes has noted; the inner one calls it.
  if (!calls.empty() && calls.back().computation == module.computations_size() - 1 &&
      calls.back().instruction == place) {
    calls.back().computation = -1 - static_cast<int>(wrapped.size());
    calls.back().instruction = operands.tuple_shapes_size();
  }
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
    *parameter.mutable_shape() = operands.tuple_shapes(i);
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
