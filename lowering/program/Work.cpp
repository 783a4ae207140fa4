#include "spmd/lowering/program/Work.h"

#include <algorithm>

namespace spmd {

namespace {

constexpr int64_t most = int64_t{1} << 62;

/// Returns a * b, or `most` if that is less. Neither is negative.
int64_t times(int64_t a, int64_t b) {
  int64_t product = 0;
  return __builtin_mul_overflow(a, b, &product) ? most : std::min(product, most);
}

int64_t plus(int64_t a, int64_t b) { return std::min(a, most) + std::min(b, most - a); }

class WorkCounter {
public:
  WorkCounter(const DeviceProgram &program, const Function &function,
              const Instruction &instruction)
      : program(program), function(function), instruction(instruction) {}

  int64_t count() const {
    const std::string &op = instruction.op;
    for (const char *frame : {"call", "while", "if", "case"})
      if (op == frame)
        return 0;
    if (instruction.results.empty() || instruction.operands.empty())
      return allElements();
    if (op == "dot_general")
      return plus(allElements(), times(resultElements(), contracted()));
    if (op == "convolution")
      return plus(allElements(), times(resultElements(), tapsOfKernel()));
    if (op == "reduce_window")
      return plus(paddedElements(), times(times(resultElements(), window()), bodies()));
    if (op == "select_and_scatter")
      return plus(allElements(),
                  times(times(elements(instruction.operands[0]), window()), bodies()));
    if (op == "sort")
      return times(times(allElements(), bitsOf(allElements())), bodies());
    if (op == "fft")
      return times(allElements(), bitsOf(allElements()));
    if (op == "cholesky" || op == "triangular_solve" || op == "custom_call")
      return times(allElements(), longestDim());
    return times(allElements(), bodies());
  }

private:
  const TensorType &type(ValueId id) const { return function.values[id]; }
  int64_t elements(ValueId id) const { return type(id).numElements(); }
  int64_t resultElements() const { return elements(instruction.results[0]); }

  int64_t allElements() const {
    int64_t sum = 0;
    for (const std::vector<ValueId> *ids : {&instruction.operands, &instruction.results})
      for (ValueId id : *ids)
        sum = plus(sum, elements(id));
    return sum;
  }

  /// Returns the number of instructions in all bodies, at least 1.
  int64_t bodies() const {
    int64_t sum = 1;
    for (int32_t body : instruction.functions)
      sum += static_cast<int64_t>(program.functions[body].instructions.size());
    return sum;
  }

  static int64_t bitsOf(int64_t number) {
    int64_t bits = 1;
    for (; number > 1; number /= 2)
      ++bits;
    return bits;
  }

  std::vector<int64_t> list(std::string_view name) const {
    return instruction.attributes.getOr<std::vector<int64_t>>(name, {}).value_or(
        std::vector<int64_t>());
  }

  int64_t contracted() const {
    const std::vector<int64_t> &shape = type(instruction.operands[0]).shape;
    int64_t product = 1;
    for (int64_t dim : list("lhs_contracting_dimensions"))
      if (dim >= 0 && dim < static_cast<int64_t>(shape.size()))
        product = times(product, shape[dim]);
    return product;
  }

  int64_t tapsOfKernel() const {
    const TensorType &kernel = type(instruction.operands.back());
    int64_t dim =
        instruction.attributes.getOr<int64_t>("kernel_output_feature_dimension", 0).value_or(0);
    bool isDim = dim >= 0 && dim < kernel.rank() && kernel.shape[dim] > 0;
    return isDim ? kernel.numElements() / kernel.shape[dim] : kernel.numElements();
  }

  int64_t window() const {
    int64_t product = 1;
    for (int64_t size : list("window_dimensions"))
      product = times(product, std::max<int64_t>(size, 0));
    return product;
  }

  /// Returns the elements of all operands, dilated and padded.
  int64_t paddedElements() const {
    const std::vector<int64_t> &shape = type(instruction.operands[0]).shape;
    std::vector<int64_t> padding = list("padding"), dilations = list("base_dilations");
    int64_t product = 1;
    for (size_t d = 0; d < shape.size(); ++d) {
      int64_t size = shape[d];
      if (d < dilations.size())
        size = times(size, std::max<int64_t>(dilations[d], 1));
      for (size_t side : {2 * d, 2 * d + 1})
        if (side < padding.size())
          size = plus(size, std::max<int64_t>(padding[side], 0));
      product = times(product, size);
    }
    return times(product, static_cast<int64_t>(instruction.results.size()));
  }

  int64_t longestDim() const {
    int64_t longest = 1;
    for (ValueId id : instruction.operands)
      for (int64_t size : type(id).shape)
        longest = std::max(longest, size);
    return longest;
  }

  const DeviceProgram &program;
  const Function &function;
  const Instruction &instruction;
};

} // namespace

int64_t workOf(const DeviceProgram &program, const Function &function,
               const Instruction &instruction) {
  return plus(workToStart, WorkCounter(program, function, instruction).count());
}

} // namespace spmd
