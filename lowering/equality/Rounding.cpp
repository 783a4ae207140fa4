#include "spmd/lowering/equality/Rounding.h"

#include "spmd/lowering/equality/Frames.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace spmd {

int precisionOf(ElementType type) {
  switch (type) {
  case ElementType::f4E2M1FN:
    return 2;
  case ElementType::f6E2M3FN:
  case ElementType::f8E4M3:
  case ElementType::f8E4M3FN:
  case ElementType::f8E4M3FNUZ:
  case ElementType::f8E4M3B11FNUZ:
    return 4;
  case ElementType::f6E3M2FN:
  case ElementType::f8E5M2:
  case ElementType::f8E5M2FNUZ:
    return 3;
  case ElementType::f8E3M4:
    return 5;
  case ElementType::f8E8M0FNU:
    return 1;
  case ElementType::bf16:
    return 8;
  case ElementType::f16:
    return 11;
  case ElementType::f64:
  case ElementType::complexF64:
    return 53;
  case ElementType::f128:
  case ElementType::complexF128:
    return 113;
  default:
    return 24;
  }
}

double unitOf(ElementType type) { return std::ldexp(1.0, -precisionOf(type)); }

ElementType computedIn(ElementType type) {
  return precisionOf(type) < 24 ? ElementType::f32 : type;
}

bool isExact(const std::string &op) {
  static const std::set<std::string> ops = {"abs",
                                            "after_all",
                                            "all_gather",
                                            "all_to_all",
                                            "broadcast_in_dim",
                                            "buffer_alloc",
                                            "buffer_load",
                                            "buffer_store",
                                            "ceil",
                                            "clamp",
                                            "collective_broadcast",
                                            "collective_permute",
                                            "compare",
                                            "complex",
                                            "concatenate",
                                            "constant",
                                            "create_token",
                                            "dynamic_slice",
                                            "dynamic_update_slice",
                                            "floor",
                                            "gather",
                                            "get_dimension_size",
                                            "imag",
                                            "infeed",
                                            "is_finite",
                                            "maximum",
                                            "minimum",
                                            "negate",
                                            "optimization_barrier",
                                            "outfeed",
                                            "pad",
                                            "partition_id",
                                            "ragged_all_to_all",
                                            "real",
                                            "recv",
                                            "replica_id",
                                            "reshape",
                                            "reverse",
                                            "round_nearest_afz",
                                            "round_nearest_even",
                                            "select",
                                            "send",
                                            "set_dimension_size",
                                            "sign",
                                            "slice",
                                            "sort",
                                            "sort_order",
                                            "take_in_order",
                                            "transpose"};
  return ops.count(op) > 0 || runsFrames(op);
}

bool isLibraryFunction(const std::string &op) {
  static const std::set<std::string> functions = {
      "atan2", "cbrt",         "cosine",   "exponential", "exponential_minus_one",
      "log",   "log_plus_one", "logistic", "power",       "sine",
      "tan",   "tanh"};
  return functions.count(op) > 0;
}

/// How many ulps beyond a rounding the functions of libraries are off, in the type that they
/// compute in: what vendors state for fast versions.
double extraUlpsOf(const Instruction &instruction) {
  if (instruction.attributes.contains("function"))
    return 8; // A formula of ours, where others have another.
  const std::string &op = instruction.op;
  if (isLibraryFunction(op))
    return 4;
  return op == "rsqrt" || op == "divide" || op == "sqrt" || op == "remainder" ? 1 : 0;
}

/// Whether a body does more than pick one of its arguments.
static bool bodyRounds(const Function &body) {
  return std::any_of(
      body.instructions.begin(), body.instructions.end(), [&](const Instruction &instruction) {
        return !isExact(instruction.op) &&
               std::any_of(instruction.results.begin(), instruction.results.end(),
                           [&](ValueId result) { return isRounded(body.values[result].element); });
      });
}

std::optional<double> numTerms(const DeviceProgram &program, const Function &function,
                               const Instruction &instruction, int64_t numParts) {
  const std::string &op = instruction.op;
  auto elements = [&](ValueId value) {
    return std::max<double>(1, function.values[value].numElements());
  };
  auto shape = [&](size_t i) { return function.values[instruction.operands[i]].shape; };
  double results = instruction.results.empty() ? 1 : elements(instruction.results[0]);
  if (op == "dot_general") {
    double terms = 1;
    std::vector<int64_t> dims =
        instruction.attributes.getOr<std::vector<int64_t>>("lhs_contracting_dimensions", {})
            .value_or(std::vector<int64_t>());
    for (int64_t dim : dims)
      terms *= static_cast<double>(shape(0)[dim]);
    return terms;
  }
  if (op == "convolution") {
    int64_t feature =
        instruction.attributes.getOr<int64_t>("kernel_output_feature_dimension", 0).value_or(0);
    bool isThere = feature < static_cast<int64_t>(shape(1).size()) && shape(1)[feature] > 0;
    return isThere ? elements(instruction.operands[1]) / static_cast<double>(shape(1)[feature])
                   : 1.0;
  }
  if (op == "fft")
    return std::log2(std::max(2.0, results));
  if (op == "cholesky" || op == "triangular_solve")
    return shape(0).empty() ? 1.0 : static_cast<double>(shape(0).back());
  if (instruction.functions.empty())
    return std::nullopt;
  if (!bodyRounds(program.functions[instruction.functions.back()]))
    return 0.0;
  if (op == "reduce")
    return elements(instruction.operands[0]) / results;
  if (op == "reduce_window") {
    double terms = 1;
    for (int64_t size : instruction.attributes.getOr<std::vector<int64_t>>("window_dimensions", {})
                            .value_or(std::vector<int64_t>()))
      terms *= static_cast<double>(size);
    return terms;
  }
  if (op == "scatter")
    return std::max(4.0, 4 * elements(instruction.operands.back()) / results); // Uneven, too.
  if (op == "select_and_scatter")
    return 4.0;
  return static_cast<double>(std::max<int64_t>(2, numParts));
}

} // namespace spmd
