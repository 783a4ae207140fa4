// A device program with its kernels: what the scheduler walks.
#pragma once

#include "spmd/lowering/interpreter/Collective.h"

namespace spmd {

struct PreparedInstruction {
  enum class Kind : uint8_t { kernel, collective, call, loop, branch, alloc, load, store };

  Kind kind;
  std::vector<ValueId> operands, results, releases;
  /// Per operand: it dies here and is read nowhere later in the operand list, so it may be moved
  /// out.
  std::vector<bool> takes;
  std::vector<Tensor::TypeRef> resultTypes;
  std::vector<int32_t> functions;
  Kernel kernel;
  std::shared_ptr<const Collective> collective;
  /// For `case`: the selector is an index and not a predicate.
  bool selectsByIndex = false;
  /// For `buffer_load`: the cell gives its tensor up.
  bool takesFromCell = false;
  /// `op` and location, for messages.
  std::string description;
};

struct PreparedFunction {
  std::vector<TensorType> argumentTypes;
  int64_t numValues;
  std::vector<PreparedInstruction> instructions;
  std::vector<ValueId> results;
};

struct PreparedProgram {
  int64_t numDevices;
  int32_t entry;
  std::vector<PreparedFunction> functions;

  static absl::StatusOr<PreparedProgram> create(const DeviceProgram &program,
                                                const KernelRegistry &registry);
};

} // namespace spmd
