#include "spmd/lowering/program/Exactness.h"

#include "spmd/lowering/program/CallOrder.h"

#include <algorithm>
#include <set>

namespace spmd {

namespace {

/// How coarsely a value is rounded: 0 for one that no sum has touched.
enum Coarseness : uint8_t { exact, f64, f32, f16, bf16, small };

Coarseness coarsenessOf(ElementType type) {
  if (type == ElementType::f64 || type == ElementType::complexF64)
    return f64;
  if (type == ElementType::f32 || type == ElementType::complexF32)
    return f32;
  if (type == ElementType::f16)
    return f16;
  if (type == ElementType::bf16)
    return bf16;
  return isFloat(type) ? small : exact;
}

/// Whether an op adds up, or does what nobody knows. What only picks, as a maximum, is exact, but
/// its name does not say so.
bool mayAddUp(const std::string &op) {
  static const std::set<std::string> names = {"all_reduce",
                                              "batch_norm_grad",
                                              "batch_norm_training",
                                              "cholesky",
                                              "convolution",
                                              "custom_call",
                                              "dot",
                                              "dot_general",
                                              "fft",
                                              "reduce",
                                              "reduce_scatter",
                                              "reduce_window",
                                              "run_parallel",
                                              "scatter",
                                              "select_and_scatter",
                                              "triangular_solve"};
  return names.count(op) > 0;
}

/// Spreads coarseness through a program until nothing changes. A function is looked at once for
/// all that call it, and a mutable cell once for all.
class Spread {
public:
  explicit Spread(const DeviceProgram &program) : program(program) {
    for (const Function &function : program.functions)
      values.emplace_back(function.values.size(), exact);
  }

  void run() {
    absl::StatusOr<std::vector<int32_t>> order = calleesFirst(program);
    if (!order.ok())
      return;
    do {
      hasChanged = false;
      for (auto each = order->rbegin(); each != order->rend(); ++each) // Arguments go down,
        visit(*each);
      for (int32_t each : *order) // results up.
        visit(each);
    } while (hasChanged);
  }

  Coarseness of(int32_t function, ValueId value) const { return values[function][value]; }

private:
  void raise(Coarseness &known, Coarseness to) {
    hasChanged |= to > known;
    known = std::max(known, to);
  }

  void visit(int32_t index) {
    for (const Instruction &instruction : program.functions[index].instructions)
      visit(index, instruction);
  }

  void visit(int32_t index, const Instruction &instruction) {
    const std::string &op = instruction.op;
    if (op == "call" || op == "fused")
      pass(index, instruction, 0, instruction.functions);
    else if (op == "if" || op == "case")
      pass(index, instruction, 1, instruction.functions);
    else if (op == "while")
      passAround(index, instruction);
    else
      compute(index, instruction);
  }

  /// Operands from `first` on are the arguments of `functions`, whose results are those of the op.
  void pass(int32_t index, const Instruction &instruction, size_t first,
            const std::vector<int32_t> &functions) {
    for (int32_t callee : functions) {
      const Function &function = program.functions[callee];
      for (size_t i = first; i < instruction.operands.size(); ++i)
        raise(values[callee][i - first], of(index, instruction.operands[i]));
      for (size_t i = 0; i < instruction.results.size(); ++i)
        raise(values[index][instruction.results[i]], of(callee, function.results[i]));
    }
  }

  /// What a round makes goes into the next, and into the condition.
  void passAround(int32_t index, const Instruction &instruction) {
    int32_t condition = instruction.functions[0], body = instruction.functions[1];
    for (size_t i = 0; i < instruction.operands.size(); ++i) {
      Coarseness carried = std::max(of(index, instruction.operands[i]),
                                    of(body, program.functions[body].results[i]));
      raise(values[index][instruction.results[i]], carried);
      raise(values[body][i], carried);
      raise(values[condition][i], carried);
    }
  }

  void compute(int32_t index, const Instruction &instruction) {
    Coarseness read = exact;
    for (ValueId operand : instruction.operands)
      read = std::max(read, of(index, operand));
    if (instruction.op == "buffer_store" || instruction.op == "buffer_alloc")
      raise(stored, read);
    if (instruction.op == "buffer_load")
      read = std::max(read, stored);
    for (ValueId result : instruction.results) {
      Coarseness own = coarsenessOf(program.functions[index].values[result].element);
      bool isRounded = read != exact || mayAddUp(instruction.op);
      raise(values[index][result], isRounded ? std::max(read, own) : exact);
    }
  }

  const DeviceProgram &program;
  std::vector<std::vector<Coarseness>> values; ///< By function.
  Coarseness stored = exact;                   ///< Of what any cell holds.
  bool hasChanged = false;
};

/// A type as coarse as `coarseness`, or `type` if that is as coarse itself.
ElementType typeOf(Coarseness coarseness, ElementType type) {
  if (coarsenessOf(type) == exact || coarsenessOf(type) >= coarseness)
    return type;
  static constexpr ElementType types[] = {ElementType::f64, ElementType::f64,  ElementType::f32,
                                          ElementType::f16, ElementType::bf16, ElementType::f8E5M2};
  return types[coarseness];
}

} // namespace

std::vector<Exactness> exactnessOf(const DeviceProgram &program) {
  Spread spread(program);
  spread.run();
  std::vector<Exactness> results;
  const Function &entry = program.functions[program.entry];
  for (ValueId result : entry.results) {
    Coarseness coarseness = spread.of(program.entry, result);
    results.push_back({typeOf(coarseness, entry.values[result].element), coarseness != exact});
  }
  return results;
}

} // namespace spmd
