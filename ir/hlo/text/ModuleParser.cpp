// Modules and computations.

#include "spmd/ir/hlo/text/ModuleParser.h"

#include "spmd/ir/hlo/text/ShapeText.h"
#include "spmd/ir/hlo/text/ShardingText.h"

#include "absl/strings/str_cat.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace spmd::hlo {

static absl::string_view toAbsl(std::string_view text) { return {text.data(), text.size()}; }

absl::Status ModuleParser::parse() {
  static_cast<void>(lexer.checkText() && parseModule() && finishModule());
  return lexer.status();
}

bool ModuleParser::parseModule() {
  if (lexer.consumeWord("HloModule") && !parseHeader())
    return false;
  if (!parseStackFrames(lexer, *module.mutable_stack_frame_index()))
    return false;
  if (module.stack_frame_index().ByteSizeLong() == 0)
    module.clear_stack_frame_index();
  while (lexer.position() && lexer.remaining() > 0)
    if (!parseComputation())
      return false;
  if (module.computations().empty())
    return lexer.failExpected("a computation");
  if (entry < 0)
    entry = module.computations_size() - 1;
  return parseInlineComputations();
}

bool ModuleParser::parseHeader() {
  std::string_view name; // None in dumps that are to be compared.
  if (lexer.peek() != ',' && !lexer.name(name, "the name of the module"))
    return false;
  module.set_name(std::string(name));
  return parseModuleAttributes(lexer, module, isScheduled);
}

//===- Computations ---------------------------------------------------------===//

bool ModuleParser::parseComputation() {
  Scope scope;
  int place = module.computations_size();
  bool isEntry = lexer.consumeWord("ENTRY");
  if (isEntry) {
    if (entry >= 0)
      return lexer.fail("the module has a second ENTRY computation");
    entry = place;
  }
  scope.computation = module.add_computations();
  notePlace();
  scope.computation->set_id(nextId++);
  const char *start = lexer.position();
  std::string_view name = "main";
  bool hasName = !isEntry || lexer.peek() != '{';
  if (hasName && !lexer.name(name, "a computation"))
    return false;
  scope.computation->set_name(std::string(name));
  if (!computations.emplace(toAbsl(name), place).second)
    return lexer.failAt(start, absl::StrCat("a second computation is named '", toAbsl(name), "'"));
  if (lexer.peek() == '(' && !parseSignature())
    return false;
  if (!parseBody(scope) || !finishComputation(scope))
    return false;
  const char *after = lexer.position();
  if (lexer.consume(',') && lexer.consumeWord("execution_thread"))
    return lexer.expect('=') && lexer.quoted(*scope.computation->mutable_execution_thread());
  lexer.moveTo(after);
  return true;
}

/// Reads `(a: f32[], b: f32[]) -> f32[]`. The instructions say all of it once more.
bool ModuleParser::parseSignature() {
  ShapeProto shape;
  bool read = parseList(lexer, '(', ')', [&] {
    std::string_view name;
    shape.Clear();
    return lexer.name(name, "the name of a parameter") && lexer.expect(':') &&
           parseShape(lexer, shape);
  });
  if (!read)
    return false;
  if (!lexer.consume(std::string_view("->")))
    return lexer.failExpected("'->'");
  shape.Clear();
  return parseShape(lexer, shape);
}

bool ModuleParser::parseBody(Scope &scope) {
  if (!lexer.expect('{'))
    return false;
  while (!lexer.consume('}'))
    if (!parseInstruction(scope))
      return false;
  if (scope.computation->instructions().empty())
    return lexer.fail(absl::StrCat("computation '", scope.computation->name(), "' is empty"));
  return true;
}

bool ModuleParser::finishComputation(Scope &scope) {
  HloComputationProto &computation = *scope.computation;
  nameUnnamed(scope);
  // What stands in place of an operand is stored behind its user.
  bool inOrder = scope.forwards.empty() && scope.unnamed.empty();
  if (!inOrder && (!resolveForwards(scope) || !finishElements(scope) || !sortInstructions(scope)))
    return false;
  computation.set_root_id(scope.root ? scope.root : scope.last);
  ProgramShapeProto &shape = *computation.mutable_program_shape();
  std::vector<const HloInstructionProto *> parameters;
  for (const HloInstructionProto &instruction : computation.instructions()) {
    if (instruction.opcode() == "parameter")
      parameters.push_back(&instruction);
    if (instruction.id() == computation.root_id())
      *shape.mutable_result() = instruction.shape();
  }
  std::sort(parameters.begin(), parameters.end(),
            [](auto *a, auto *b) { return a->parameter_number() < b->parameter_number(); });
  for (const HloInstructionProto *parameter : parameters) {
    if (parameter->parameter_number() != shape.parameters_size())
      return lexer.fail(absl::StrCat("the parameters of '", computation.name(), "' have no number ",
                                     shape.parameters_size(), ", or twice one before"));
    *shape.add_parameters() = parameter->shape();
    shape.add_parameter_names(parameter->name());
  }
  return true;
}

/// Orders the indices 0..count-1 so that those that `dependencies` appends for one come before it;
/// keeps their order otherwise. Returns an index that depends on itself, or -1.
template <typename Dependencies>
static int sortByDependency(int count, Dependencies dependencies, std::vector<int> &order) {
  enum { New, Open, Done };
  std::vector<char> state(count, New);
  struct Frame {
    int index;
    std::vector<int> needs;
    size_t next;
  };
  std::vector<Frame> stack;
  for (int start = 0; start < count; ++start) {
    if (state[start] == New)
      stack.push_back({start, dependencies(start), 0});
    while (!stack.empty()) {
      Frame &frame = stack.back();
      state[frame.index] = Open;
      if (frame.next == frame.needs.size()) {
        state[frame.index] = Done;
        order.push_back(frame.index);
        stack.pop_back();
        continue;
      }
      int need = frame.needs[frame.next++];
      if (state[need] == Open)
        return need;
      if (state[need] == New)
        stack.push_back({need, dependencies(need), 0});
    }
  }
  return -1;
}

/// Brings the messages of a list into a new order, in their places: element i comes from
/// `order[i]`.
template <typename List> static void reorder(List &list, std::vector<int> order) {
  for (int start = 0; start < static_cast<int>(order.size()); ++start)
    for (int at = start; order[at] >= 0;) {
      int from = std::exchange(order[at], -1);
      if (from == start)
        break;
      list.SwapElements(at, from);
      at = from;
    }
}

bool ModuleParser::resolveForwards(Scope &scope) {
  auto &instructions = *scope.computation->mutable_instructions();
  for (const Forward &forward : scope.forwards) {
    auto found = scope.instructions.find(forward.name);
    if (found == scope.instructions.end())
      return lexer.failAt(forward.name.data(),
                          absl::StrCat("computation '", scope.computation->name(),
                                       "' has no instruction '", forward.name, "'"));
    HloInstructionProto &user = instructions[forward.instruction];
    auto &ids =
        forward.isOperand ? *user.mutable_operand_ids() : *user.mutable_control_predecessor_ids();
    ids[forward.slot] = instructions[found->second].id();
  }
  return true;
}

/// Moves operands before their users.
bool ModuleParser::sortInstructions(Scope &scope) {
  isReordered = true;
  auto &instructions = *scope.computation->mutable_instructions();
  absl::flat_hash_map<int64_t, int> places;
  for (int i = 0; i < instructions.size(); ++i)
    places[instructions[i].id()] = i;
  auto dependencies = [&](int index) {
    std::vector<int> needs;
    for (int64_t id : instructions[index].operand_ids())
      needs.push_back(places[id]);
    for (int64_t id : instructions[index].control_predecessor_ids())
      needs.push_back(places[id]);
    return needs;
  };
  std::vector<int> order;
  int cyclic = sortByDependency(instructions.size(), dependencies, order);
  if (cyclic >= 0)
    return lexer.failAt(
        scope.forwards.front().name.data(),
        absl::StrCat("instruction '", instructions[cyclic].name(), "' depends on itself"));
  // The calls of this computation, the last ones, move with their instructions.
  std::vector<int> newPlaces(order.size());
  for (size_t i = 0; i < order.size(); ++i)
    newPlaces[order[i]] = static_cast<int>(i);
  int own = module.computations_size() - 1;
  for (auto call = calls.rbegin();
       call != calls.rend() && (call->computation == own || call->computation < 0); ++call)
    if (call->computation == own)
      call->instruction = newPlaces[call->instruction];
  reorder(instructions, order);
  return true;
}

//===- The module as a whole ------------------------------------------------===//

bool ModuleParser::finishModule() {
  int last = module.computations_size() - 1;
  for (Call &call : calls)
    if (call.computation < 0)
      call.computation = last - call.computation;
  for (HloComputationProto &body : wrapped)
    module.add_computations()->Swap(&body);
  const HloComputationProto &main = module.computations(entry);
  module.set_entry_computation_name(main.name());
  module.set_entry_computation_id(main.id());
  if (module.name().empty())
    module.set_name(main.name());
  if (!module.has_host_program_shape())
    *module.mutable_host_program_shape() = main.program_shape();
  else
    *module.mutable_host_program_shape()->mutable_parameter_names() =
        main.program_shape().parameter_names();
  if (!resolveCalls() || !sortComputations() || !inferShapes())
    return false;
  if (places)
    places->places.resize(nextId, here);
  if (isReordered || !wrapped.empty())
    renumber();
  if (isScheduled)
    addSchedule();
  return true;
}

bool ModuleParser::resolveCalls() {
  for (Call &call : calls) {
    HloInstructionProto &instruction =
        *module.mutable_computations(call.computation)->mutable_instructions(call.instruction);
    std::sort(call.called.begin(), call.called.end(), [](const Reference &a, const Reference &b) {
      return std::make_pair(a.slot, a.name.data()) < std::make_pair(b.slot, b.name.data());
    });
    for (const Reference &reference : call.called) {
      auto found = computations.find(toAbsl(reference.name));
      if (found == computations.end())
        return lexer.failAt(reference.name.begin(), absl::StrCat("the module has no computation '",
                                                                 toAbsl(reference.name), "'"));
      HloComputationProto &callee = *module.mutable_computations(found->second);
      instruction.add_called_computation_ids(callee.id());
      if (instruction.opcode() == "fusion")
        callee.set_is_fusion_computation(true);
    }
  }
  return true;
}

bool ModuleParser::sortComputations() {
  auto &list = *module.mutable_computations();
  absl::flat_hash_map<int64_t, int> places;
  for (int i = 0; i < list.size(); ++i)
    places[list[i].id()] = i;
  std::vector<std::vector<int>> needs(list.size());
  bool sorted = true;
  for (int i = 0; i < list.size(); ++i)
    for (const HloInstructionProto &instruction : list[i].instructions())
      for (int64_t id : instruction.called_computation_ids()) {
        needs[i].push_back(places[id]);
        sorted &= places[id] < i;
      }
  if (sorted)
    return true;
  std::vector<int> order;
  int cyclic = sortByDependency(list.size(), [&](int i) { return needs[i]; }, order);
  if (cyclic >= 0)
    return lexer.fail(absl::StrCat("computation '", list[cyclic].name(), "' calls itself"));
  reorder(list, order);
  isReordered = true;
  return true;
}

/// Counts ids anew, each computation before its instructions, as they are counted in a text that
/// has everything in order.
void ModuleParser::renumber() {
  absl::flat_hash_map<int64_t, int64_t> newIds;
  for (const HloComputationProto &computation : module.computations()) {
    newIds.emplace(computation.id(), newIds.size() + 1);
    for (const HloInstructionProto &instruction : computation.instructions())
      newIds.emplace(instruction.id(), newIds.size() + 1);
  }
  auto update = [&](auto &ids) {
    for (auto &id : ids)
      id = newIds[id];
  };
  for (HloComputationProto &computation : *module.mutable_computations()) {
    computation.set_id(newIds[computation.id()]);
    computation.set_root_id(newIds[computation.root_id()]);
    for (HloInstructionProto &instruction : *computation.mutable_instructions()) {
      instruction.set_id(newIds[instruction.id()]);
      update(*instruction.mutable_operand_ids());
      update(*instruction.mutable_control_predecessor_ids());
      update(*instruction.mutable_called_computation_ids());
    }
  }
  module.set_entry_computation_id(newIds[module.entry_computation_id()]);
  if (!places)
    return;
  std::vector<TextPlaces::Place> renumbered(newIds.size() + 1);
  for (auto [before, now] : newIds)
    renumbered[now] = places->of(before);
  places->places = std::move(renumbered);
}

/// What is numbered from here on stands at the next token, up to the next call.
void ModuleParser::notePlace() {
  if (!places)
    return;
  places->places.resize(nextId, here);
  const char *at = lexer.position();
  while (const void *end = std::memchr(counted, '\n', at - counted)) {
    counted = line = static_cast<const char *>(end) + 1;
    ++here.line;
  }
  counted = at;
  here.column = static_cast<uint32_t>(at - line + 1);
}

void ModuleParser::addSchedule() {
  auto &sequences = *module.mutable_schedule()->mutable_sequences();
  for (const HloComputationProto &computation : module.computations()) {
    if (computation.is_fusion_computation())
      continue;
    auto &sequence = sequences[computation.id()];
    for (const HloInstructionProto &instruction : computation.instructions())
      sequence.add_instruction_ids(instruction.id());
  }
}

//===- The interface --------------------------------------------------------===//

absl::Status parseHloText(std::string_view text, HloModuleProto &module, TextPlaces *places) {
  return ModuleParser(text, module, places).parse();
}

absl::StatusOr<HloModuleProto> parseHloText(std::string_view text) {
  HloModuleProto module;
  if (absl::Status status = parseHloText(text, module); !status.ok())
    return status;
  return module;
}

absl::StatusOr<OpSharding> parseHloSharding(std::string_view text) {
  std::string braced;
  // Leaves of a tuple stand in braces too, so the outer ones are told by what is inside.
  size_t first = text.find_first_not_of(' ');
  if (first == std::string_view::npos || text[first] != '{') {
    braced = "{" + std::string(text) + "}";
    text = braced;
  }
  Lexer lexer(text);
  OpSharding sharding;
  if (parseSharding(lexer, sharding) && lexer.position() && lexer.remaining() == 0)
    return sharding;
  lexer.failExpected("the end of the sharding");
  return lexer.status();
}

} // namespace spmd::hlo
