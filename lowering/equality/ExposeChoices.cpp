#include "spmd/lowering/equality/Frames.h"
#include "spmd/lowering/equality/Widen.h"
#include "spmd/lowering/program/Releases.h"

#include <algorithm>
#include <set>

namespace spmd {
namespace {

bool isReal(const TensorType &type) { return isFloat(type.element) || isComplex(type.element); }

/// Ops whose float results jump.
bool isStepped(const std::string &op) {
  static const std::set<std::string> ops = {"sign", "floor", "ceil", "round_nearest_afz",
                                            "round_nearest_even"};
  return ops.count(op) > 0;
}

/// Takes chains of elementwise steps apart, and numbers the choices if `numChoices` is not null.
class Rewriter {
public:
  Rewriter(const DeviceProgram &program, Function &function, int64_t *numChoices)
      : program(program), function(function), numChoices(numChoices) {}

  void run() {
    std::vector<Instruction> old = std::move(function.instructions);
    function.instructions.clear();
    for (Instruction &instruction : old)
      if (instruction.op == "fused")
        unfuse(instruction);
      else
        add(std::move(instruction));
  }

private:
  ValueId newValue(TensorType type) {
    function.values.push_back(std::move(type));
    return static_cast<ValueId>(function.values.size() - 1);
  }
  const TensorType &typeOf(ValueId value) const { return function.values[value]; }

  /// Adds the instructions of the body of a chain.
  void unfuse(const Instruction &fused) {
    const Function &body = program.functions[fused.functions[0]];
    std::vector<ValueId> outside(body.values.size(), -1);
    std::copy(fused.operands.begin(), fused.operands.end(), outside.begin());
    for (Instruction instruction : body.instructions) {
      for (ValueId &operand : instruction.operands)
        operand = outside[operand];
      for (ValueId &result : instruction.results) {
        auto isResult = std::find(body.results.begin(), body.results.end(), result);
        outside[result] = isResult == body.results.end()
                              ? newValue(body.values[result])
                              : fused.results[isResult - body.results.begin()];
        result = outside[result];
      }
      if (instruction.location.empty())
        instruction.location = fused.location;
      add(std::move(instruction));
    }
  }

  void add(Instruction instruction) {
    if (!numChoices) {
      function.instructions.push_back(std::move(instruction));
      return;
    }
    auto readsFloats = std::any_of(instruction.operands.begin(), instruction.operands.end(),
                                   [&](ValueId operand) { return isReal(typeOf(operand)); });
    if (readsFloats && instruction.op == "sort")
      return splitSort(std::move(instruction));
    if (readsFloats && instruction.op == "select_and_scatter")
      hold(instruction.operands[0]);
    bool isFrameOp = runsFrames(instruction.op);
    auto givesOthers = std::any_of(instruction.results.begin(), instruction.results.end(),
                                   [&](ValueId result) { return !isReal(typeOf(result)); });
    bool isReduction = instruction.op == "reduce" || instruction.op == "reduce_window";
    bool isStep = instruction.functions.empty() && instruction.op != "custom_call" &&
                  instruction.op != "run_parallel" && instruction.op != "get_dimension_size" &&
                  instruction.op.rfind("buffer_", 0) != 0;
    bool isChoice = false;
    if (readsFloats && !isFrameOp && (isStep || isReduction) &&
        (givesOthers || isStepped(instruction.op)))
      isChoice = true;
    // Calls may return vectors of any sign, as those of linear algebra do.
    if (readsFloats && instruction.op == "custom_call")
      isChoice = true;
    if (isChoice)
      instruction.attributes.set("choice", (*numChoices)++);
    function.instructions.push_back(std::move(instruction));
  }

  /// Holds what is selected from as it is.
  void hold(ValueId &operand) {
    Instruction barrier;
    barrier.op = "optimization_barrier";
    barrier.operands = {operand};
    barrier.attributes.set("choice", (*numChoices)++);
    operand = newValue(typeOf(operand));
    barrier.results = {operand};
    function.instructions.push_back(std::move(barrier));
  }

  void splitSort(Instruction sort) {
    Instruction order = sort;
    order.op = "sort_order";
    order.attributes.set("choice", (*numChoices)++);
    order.results = {newValue({ElementType::i32, typeOf(sort.operands[0]).shape})};
    function.instructions.push_back(order);
    for (size_t i = 0; i < sort.operands.size(); ++i) {
      Instruction take;
      take.op = "take_in_order";
      take.operands = {sort.operands[i], order.results[0]};
      take.results = {sort.results[i]};
      if (const Attribute *dim = sort.attributes.find("dimension"))
        take.attributes.set("dimension", *dim);
      take.location = sort.location;
      function.instructions.push_back(std::move(take));
    }
  }

  const DeviceProgram &program;
  Function &function;
  int64_t *numChoices;
};

} // namespace

static DeviceProgram rewritten(const DeviceProgram &program, int64_t *numChoices) {
  DeviceProgram out = program;
  std::vector<FunctionRole> roles = rolesOf(program);
  for (size_t i = 0; i < roles.size(); ++i)
    if (roles[i] == FunctionRole::frame)
      Rewriter(program, out.functions[i], numChoices).run();
  planReleases(out);
  return out;
}

DeviceProgram unfuse(const DeviceProgram &program) { return rewritten(program, nullptr); }

DeviceProgram exposeChoices(const DeviceProgram &program) {
  int64_t numChoices = 0;
  return rewritten(program, &numChoices);
}

} // namespace spmd
