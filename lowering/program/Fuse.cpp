#include "spmd/lowering/program/Fuse.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <string_view>

namespace spmd {

/// A body holds its arguments and constants for a tile each: more of them leave the cache.
static constexpr int32_t maxMembers = 64;

/// Whether each element of the result depends on the elements at the same place. Sorted.
static bool isElementwise(std::string_view op) {
  static constexpr std::string_view names[] = {"abs",
                                               "add",
                                               "and",
                                               "cbrt",
                                               "ceil",
                                               "clamp",
                                               "compare",
                                               "complex",
                                               "convert",
                                               "cosine",
                                               "count_leading_zeros",
                                               "divide",
                                               "exponential",
                                               "exponential_minus_one",
                                               "floor",
                                               "imag",
                                               "is_finite",
                                               "log",
                                               "log_plus_one",
                                               "logistic",
                                               "maximum",
                                               "minimum",
                                               "multiply",
                                               "negate",
                                               "not",
                                               "or",
                                               "perturb_terms",
                                               "popcnt",
                                               "power",
                                               "real",
                                               "reduce_precision",
                                               "remainder",
                                               "round_nearest_afz",
                                               "round_nearest_even",
                                               "round_result",
                                               "rsqrt",
                                               "select",
                                               "shift_left",
                                               "shift_right_arithmetic",
                                               "shift_right_logical",
                                               "sign",
                                               "sine",
                                               "sqrt",
                                               "square",
                                               "subtract",
                                               "tan",
                                               "tanh",
                                               "xor"};
  return std::binary_search(std::begin(names), std::end(names), op);
}

namespace {

class Fuser {
public:
  Fuser(DeviceProgram &program, int32_t index)
      : program(program), index(index), function(program.functions[index]) {}

  void run() {
    classify();
    findMakers();
    bool areBrought = bringLeaves();
    group();
    auto isSeveral = [](int32_t size) { return size > 1; };
    if (areBrought || std::any_of(sizes.begin(), sizes.end(), isSeveral))
      rewrite();
  }

private:
  /// What an instruction is to the chains around it.
  enum class Role : uint8_t {
    step,    ///< Elementwise; may be merged.
    leaf,    ///< The same elements again and again: copied to where it is read.
    neutral, ///< Small, or hardly work; chains go on behind it.
    barrier  ///< All else.
  };
  static constexpr int32_t none = -1, several = -2;

  const TensorType &typeOf(ValueId value) const { return function.values[value]; }
  const std::vector<int64_t> &shapeOf(int32_t i) const {
    return typeOf(function.instructions[i].results[0]).shape;
  }
  int32_t numInstructions() const { return function.instructions.size(); }

  Role roleOf(const Instruction &instruction) const {
    if (instruction.results.size() != 1 || !instruction.functions.empty() ||
        instruction.attributes.contains("choice"))
      return Role::barrier;
    const TensorType &result = typeOf(instruction.results[0]);
    auto isScalar = [&](ValueId operand) { return typeOf(operand).rank() == 0; };
    bool readsScalars =
        std::all_of(instruction.operands.begin(), instruction.operands.end(), isScalar);
    bool isConstant = instruction.op == "constant", isStep = isElementwise(instruction.op);
    if (result.rank() == 0)
      return readsScalars && (isConstant || isStep) ? Role::neutral : Role::barrier;
    if (isConstant)
      return instruction.attributes.contains("splat") ? Role::leaf : Role::neutral;
    if (instruction.op == "broadcast_in_dim")
      return readsScalars ||
                     2 * typeOf(instruction.operands[0]).numElements() <= result.numElements()
                 ? Role::leaf
                 : Role::neutral;
    if (instruction.op == "reshape" || instruction.op == "iota")
      return Role::neutral;
    bool fits =
        std::all_of(instruction.operands.begin(), instruction.operands.end(), [&](ValueId operand) {
          return typeOf(operand).rank() == 0 || typeOf(operand).shape == result.shape;
        });
    return isStep && fits && !readsScalars ? Role::step : Role::barrier;
  }

  void classify() {
    roles.clear();
    segments.clear();
    int32_t segment = 0;
    for (const Instruction &instruction : function.instructions) {
      roles.push_back(roleOf(instruction));
      segment += roles.back() == Role::barrier;
      segments.push_back(segment);
    }
  }

  /// For each value which instruction makes it.
  void findMakers() {
    makers.assign(function.values.size(), none);
    for (int32_t i = 0; i < numInstructions(); ++i)
      for (ValueId result : function.instructions[i].results)
        makers[result] = i;
  }

  /// Makes leaves from in front of a barrier again behind it, where steps read them there: what
  /// costs nothing to make is not held in between. Not if others read it, too, and so it is made
  /// as a whole anyway. Returns whether there are such leaves.
  bool bringLeaves() {
    std::vector<bool> isWhole(function.values.size(), false);
    for (ValueId result : function.results)
      isWhole[result] = true;
    for (int32_t i = 0; i < numInstructions(); ++i)
      if (roles[i] != Role::step && roles[i] != Role::leaf)
        for (ValueId operand : function.instructions[i].operands)
          isWhole[operand] = true;
    // What it is made of is held instead.
    auto isMuchLarger = [&](int32_t leaf) {
      const std::vector<ValueId> &from = function.instructions[leaf].operands;
      return std::all_of(from.begin(), from.end(), [&](ValueId operand) {
        return 8 * typeOf(operand).numElements() <=
               typeOf(function.instructions[leaf].results[0]).numElements();
      });
    };
    std::vector<Instruction> instructions;
    std::map<std::pair<int32_t, int32_t>, ValueId> brought; // By leaf and segment.
    auto bring = [&](auto &&self, ValueId value, int32_t segment) -> ValueId {
      int32_t maker = makers[value];
      if (maker < 0 || roles[maker] != Role::leaf || segments[maker] == segment || isWhole[value] ||
          !isMuchLarger(maker))
        return value;
      auto [entry, isNew] = brought.try_emplace({maker, segment}, function.values.size());
      if (isNew) {
        function.values.push_back(typeOf(value));
        Instruction copy = function.instructions[maker];
        for (ValueId &operand : copy.operands)
          operand = self(self, operand, segment);
        copy.results = {entry->second};
        instructions.push_back(std::move(copy));
      }
      return entry->second;
    };
    for (int32_t i = 0; i < numInstructions(); ++i) {
      Instruction instruction = function.instructions[i];
      if (roles[i] == Role::step)
        for (ValueId &operand : instruction.operands)
          operand = bring(bring, operand, segments[i]);
      instructions.push_back(std::move(instruction));
    }
    if (brought.empty())
      return false;
    function.instructions = std::move(instructions);
    classify();
    findMakers();
    return true;
  }

  /// Lets each step join the group of its readers if that is one; a group is named for its last
  /// member. Readers come before makers here: the walk is backwards.
  void group() {
    groups.resize(numInstructions());
    sizes.assign(numInstructions(), 0);
    readers.assign(function.values.size(), none);
    for (ValueId result : function.results)
      readers[result] = several;
    for (int32_t i = numInstructions() - 1; i >= 0; --i) {
      groups[i] = i;
      bool isStep = roles[i] == Role::step;
      if (isStep) {
        int32_t group = readers[function.instructions[i].results[0]];
        if (group >= 0 && segments[group] == segments[i] && shapeOf(group) == shapeOf(i) &&
            sizes[group] < maxMembers)
          groups[i] = group;
        ++sizes[groups[i]];
      }
      for (ValueId operand : function.instructions[i].operands) {
        int32_t &reader = readers[operand];
        reader = isStep && (reader == none || reader == groups[i]) ? groups[i] : several;
      }
    }
  }

  bool isMerged(int32_t i) const { return sizes[groups[i]] > 1; }

  void rewrite() {
    std::vector<std::vector<int32_t>> members(numInstructions());
    for (int32_t i = 0; i < numInstructions(); ++i)
      if (isMerged(i))
        members[groups[i]].push_back(i);
    std::vector<Instruction> instructions;
    for (int32_t i = 0; i < numInstructions(); ++i) {
      if (!isMerged(i))
        instructions.push_back(function.instructions[i]);
      else if (groups[i] == i)
        instructions.push_back(fuse(members[i]));
    }
    function.instructions = std::move(instructions);
    dropUnreadLeaves();
    renumber();
    program.functions[index] = std::move(function);
  }

  /// Makes one instruction of `members`, the last of which has the result.
  Instruction fuse(const std::vector<int32_t> &members) {
    const Instruction &last = function.instructions[members.back()];
    Instruction fused;
    fused.op = "fused";
    fused.results = last.results;
    fused.location = last.location;
    fused.functions = {static_cast<int32_t>(program.functions.size())};

    // Arguments come first, so they are collected first.
    Function body;
    body.name = "fused";
    std::map<ValueId, ValueId> inBody;
    std::vector<int32_t> inside; // Leaves and members, each before it is read.
    for (int32_t member : members) {
      for (ValueId operand : function.instructions[member].operands)
        collect(operand, groups[member], inBody, inside, fused.operands);
      inside.push_back(member);
    }
    for (ValueId operand : fused.operands) {
      inBody[operand] = body.values.size();
      body.values.push_back(typeOf(operand));
    }
    body.numArguments = body.values.size();
    for (int32_t i : inside) {
      Instruction instruction = function.instructions[i];
      instruction.releases.clear();
      for (ValueId &operand : instruction.operands)
        operand = inBody.at(operand);
      ValueId &result = instruction.results[0];
      inBody[result] = body.values.size();
      body.values.push_back(typeOf(result));
      result = inBody[result];
      body.instructions.push_back(std::move(instruction));
    }
    body.results = {static_cast<ValueId>(body.values.size() - 1)};
    program.functions.push_back(std::move(body));
    return fused;
  }

  /// Notes where `value` comes from when group number `reader` reads it: a member, a leaf to copy,
  /// or outside.
  void collect(ValueId value, int32_t reader, std::map<ValueId, ValueId> &seen,
               std::vector<int32_t> &inside, std::vector<ValueId> &arguments) const {
    int32_t maker = makers[value];
    bool isMember = maker >= 0 && roles[maker] == Role::step && groups[maker] == reader;
    if (isMember || !seen.try_emplace(value, none).second)
      return;
    if (maker < 0 || roles[maker] != Role::leaf) {
      arguments.push_back(value);
      return;
    }
    for (ValueId operand : function.instructions[maker].operands)
      collect(operand, reader, seen, inside, arguments);
    inside.push_back(maker);
  }

  /// Backwards: a leaf that only leaves read goes with them.
  void dropUnreadLeaves() {
    std::vector<bool> isRead(function.values.size(), false);
    for (ValueId result : function.results)
      isRead[result] = true;
    std::vector<Instruction> kept;
    std::vector<Instruction> &all = function.instructions;
    for (auto it = all.rbegin(); it != all.rend(); ++it) {
      if (it->results.size() == 1 && !isRead[it->results[0]] &&
          roles[makers[it->results[0]]] == Role::leaf)
        continue;
      for (ValueId operand : it->operands)
        isRead[operand] = true;
      kept.push_back(std::move(*it));
    }
    all.assign(std::make_move_iterator(kept.rbegin()), std::make_move_iterator(kept.rend()));
  }

  /// Numbers values without gaps.
  void renumber() {
    std::vector<ValueId> numbers(function.values.size(), none);
    std::vector<TensorType> types;
    auto define = [&](ValueId &value) {
      numbers[value] = types.size();
      types.push_back(std::move(function.values[value]));
      value = numbers[value];
    };
    for (ValueId argument = 0; argument < function.numArguments; ++argument) {
      ValueId value = argument;
      define(value);
    }
    for (Instruction &instruction : function.instructions) {
      instruction.releases.clear();
      for (ValueId &operand : instruction.operands)
        operand = numbers[operand];
      for (ValueId &result : instruction.results)
        define(result);
    }
    for (ValueId &result : function.results)
      result = numbers[result];
    function.values = std::move(types);
  }

  DeviceProgram &program;
  int32_t index;
  Function function; ///< A copy: the program's functions move as bodies are added.
  std::vector<Role> roles;
  std::vector<int32_t> segments;      ///< By instruction: how many barriers come before.
  std::vector<int32_t> makers;        ///< By value: an instruction, or none.
  std::vector<int32_t> readers;       ///< By value: the group that alone reads it, none or several.
  std::vector<int32_t> groups, sizes; ///< By instruction: its group; by group: how many members.
};

} // namespace

void fuseElementwise(DeviceProgram &program) {
  int32_t count = program.functions.size(); // Bodies that are added are fused already.
  for (int32_t index = 0; index < count; ++index)
    Fuser(program, index).run();
}

} // namespace spmd
