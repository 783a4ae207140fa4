// Small device programs for tests.
#pragma once

#include "spmd/lowering/interpreter/Executable.h"
#include "spmd/lowering/program/Releases.h"

#include <gtest/gtest.h>

#include <random>

namespace spmd::test {

using Ints = std::vector<int64_t>;

inline TensorType type(ElementType element, Ints shape = {}) { return {element, std::move(shape)}; }
inline TensorType f32(Ints shape = {}) { return type(ElementType::f32, std::move(shape)); }
inline TensorType i32(Ints shape = {}) { return type(ElementType::i32, std::move(shape)); }

inline const KernelRegistry &builtins() {
  static const KernelRegistry registry = [] {
    KernelRegistry kernels;
    addBuiltinKernels(kernels);
    return kernels;
  }();
  return registry;
}

/// Builds one function value by value.
class FunctionBuilder {
public:
  FunctionBuilder(std::string name, std::vector<TensorType> arguments) {
    function.name = std::move(name);
    function.numArguments = arguments.size();
    function.values = std::move(arguments);
  }

  /// Appends an instruction and returns its first result.
  ValueId add(std::string op, std::vector<ValueId> operands, std::vector<TensorType> results,
              Attributes attributes = {}, std::vector<int32_t> functions = {}, int32_t groups = -1,
              std::string location = "") {
    Instruction instruction;
    instruction.op = std::move(op);
    instruction.operands = std::move(operands);
    ValueId first = function.values.size();
    for (TensorType &result : results) {
      instruction.results.push_back(function.values.size());
      function.values.push_back(std::move(result));
    }
    instruction.attributes = std::move(attributes);
    instruction.functions = std::move(functions);
    instruction.groups = groups;
    instruction.location = std::move(location);
    function.instructions.push_back(std::move(instruction));
    return first;
  }

  Function returning(std::vector<ValueId> results) {
    function.results = std::move(results);
    return std::move(function);
  }

private:
  Function function;
};

/// Returns `(%0, %1) -> op(%0, %1)` on scalars.
inline Function binaryBody(const char *op, TensorType scalar) {
  FunctionBuilder body(op, {scalar, scalar});
  ValueId result = body.add(op, {0, 1}, {scalar});
  return body.returning({result});
}

/// Runs `program`, with releases planned, for all devices.
inline absl::StatusOr<std::vector<std::vector<Tensor>>>
run(DeviceProgram program, std::vector<std::vector<Tensor>> arguments, int threads = 1,
    const KernelRegistry &registry = builtins()) {
  if (absl::Status status = verify(program); !status.ok())
    return status;
  planReleases(program);
  absl::StatusOr<Executable> executable = Executable::prepare(program, registry);
  if (!executable.ok())
    return executable.status();
  return executable->run(std::move(arguments), {threads});
}

/// Runs one instruction on one device.
inline absl::StatusOr<std::vector<Tensor>> runOp(std::string op, std::vector<Tensor> operands,
                                                 std::vector<TensorType> results,
                                                 Attributes attributes = {},
                                                 std::vector<Function> bodies = {},
                                                 std::vector<std::string> constants = {}) {
  std::vector<TensorType> types;
  std::vector<ValueId> ids, resultIds;
  for (const Tensor &operand : operands) {
    ids.push_back(ids.size());
    types.push_back(operand.type());
  }
  std::vector<int32_t> functions;
  for (size_t i = 0; i < bodies.size(); ++i)
    functions.push_back(i + 1);
  FunctionBuilder main("main", types);
  ValueId first = main.add(std::move(op), ids, results, std::move(attributes), functions);
  for (size_t i = 0; i < results.size(); ++i)
    resultIds.push_back(first + i);
  DeviceProgram program;
  program.functions.push_back(main.returning(resultIds));
  for (Function &body : bodies)
    program.functions.push_back(std::move(body));
  program.constants = std::move(constants);
  auto all = run(program, {std::move(operands)});
  if (!all.ok())
    return all.status();
  return std::move((*all)[0]);
}

template <typename T> std::vector<T> elementsOf(const Tensor &tensor) {
  return std::vector<T>(tensor.as<T>(), tensor.as<T>() + tensor.numElements());
}

/// Small integers as floats, so that sums are exact in any order.
inline Tensor randomF32(Ints shape, unsigned seed) {
  std::mt19937 generator(seed);
  Tensor tensor = *Tensor::allocate(f32(std::move(shape)));
  for (int64_t i = 0; i < tensor.numElements(); ++i)
    tensor.mutableAs<float>()[i] = static_cast<int>(generator() % 17) - 8;
  return tensor;
}

} // namespace spmd::test
