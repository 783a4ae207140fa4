#include "spmd/lowering/interpreter/Combiner.h"

#include "spmd/lowering/interpreter/Memory.h"
#include "spmd/lowering/interpreter/StatusMacros.h"

#include "absl/container/inlined_vector.h"

#include <algorithm>
#include <cstring>

namespace spmd {

/// Returns whether `body` is `return op(%0, %1)` with an op that may be applied in any order.
static bool isSingleCommutativeOp(const Function &body) {
  static constexpr const char *ops[] = {"add", "multiply", "maximum", "minimum",
                                        "and", "or",       "xor"};
  if (body.numArguments != 2 || body.instructions.size() != 1)
    return false;
  const Instruction &only = body.instructions[0];
  bool usesBoth =
      only.operands == std::vector<ValueId>{0, 1} || only.operands == std::vector<ValueId>{1, 0};
  return usesBoth && body.results == only.results &&
         std::find(std::begin(ops), std::end(ops), only.op) != std::end(ops);
}

/// The bytes of `n` elements, up to the next line of the cache.
static int64_t paddedBytes(int64_t n, ElementType element) {
  return (n * storedBytes(element) + 63) / 64 * 64;
}

absl::StatusOr<Combiner> Combiner::create(const DeviceProgram &program, int32_t index,
                                          absl::Span<const ElementType> elements,
                                          const KernelRegistry &registry) {
  const Function &body = program.functions[index];
  size_t count = elements.size();
  if (static_cast<size_t>(body.numArguments) != 2 * count || body.results.size() != count)
    return invalid("body \"", body.name, "\" takes ", body.numArguments, " values to ",
                   body.results.size(), "; expected ", 2 * count, " to ", count);
  for (size_t i = 0; i < count; ++i)
    for (ValueId id : {static_cast<ValueId>(i), static_cast<ValueId>(count + i), body.results[i]})
      if (TensorType expected{elements[i], {}}; body.values[id] != expected)
        return invalid("body \"", body.name, "\" has %", id, " of type ", body.values[id].str(),
                       "; expected ", expected.str());
  Combiner combiner;
  SPMD_ASSIGN_OR_RETURN(combiner.body, Body::create(program, index, registry));
  combiner.elements.assign(elements.begin(), elements.end());
  // In place if every result may overwrite its own accumulator.
  combiner.noneIsScalar.assign(2 * count, false);
  auto reuse = combiner.body.reuse(combiner.noneIsScalar);
  combiner.inPlace = true;
  for (size_t i = 0; i < count; ++i)
    combiner.inPlace &=
        std::find(reuse[i].begin(), reuse[i].end(), static_cast<int>(i)) != reuse[i].end();
  if (isSingleCommutativeOp(body)) {
    const Instruction &only = body.instructions[0];
    ElementType element = elements[0];
    SPMD_ASSIGN_OR_RETURN(
        TileStep step, (*registry.findStep(only.op))(only.attributes, {element, element}, element));
    combiner.singleStep = step.function;
  }
  return combiner;
}

absl::Status Combiner::combine(int64_t n, absl::Span<void *const> accumulators,
                               absl::Span<const void *const> values) const {
  absl::InlinedVector<const void *, 8> inputs(accumulators.begin(), accumulators.end());
  inputs.insert(inputs.end(), values.begin(), values.end());
  if (inPlace)
    return body.run(n, inputs, noneIsScalar, accumulators);
  int64_t total = 0;
  for (ElementType element : elements)
    total += paddedBytes(n, element);
  Scratch results(total);
  absl::InlinedVector<void *, 4> outputs;
  std::byte *next = results.data();
  for (ElementType element : elements) {
    outputs.push_back(next);
    next += paddedBytes(n, element);
  }
  SPMD_RETURN_IF_ERROR(body.run(n, inputs, noneIsScalar, absl::MakeSpan(outputs)));
  for (size_t i = 0; i < outputs.size(); ++i)
    if (n > 0)
      std::memcpy(accumulators[i], outputs[i], n * storedBytes(elements[i]));
  return absl::OkStatus();
}

} // namespace spmd
