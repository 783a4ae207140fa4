// A device program with its kernels: what the scheduler walks.
#pragma once

#include "spmd/lowering/comm/Communicator.h"
#include "spmd/lowering/interpreter/Collective.h"

#include "absl/container/inlined_vector.h"

namespace spmd {

struct PreparedInstruction {
  enum class Kind : uint8_t {
    kernel,
    collective,
    send,
    receive,
    infeed,
    call,
    loop,
    branch,
    alloc,
    load,
    store
  };

  /// A result that may take over the buffer of an operand that dies here, both by position.
  struct Reuse {
    int32_t result, operand;
  };
  /// Short lists lie in the instruction: to wait for memory takes longer than many a kernel.
  template <typename T> using List = absl::InlinedVector<T, 16 / sizeof(T)>;

  Kind kind;
  /// -1 - id stands for a value that is a constant.
  List<ValueId> operands;
  List<ValueId> results, releases;
  List<TypeRef> resultTypes;
  /// By result; of one result in the order in which they are tried.
  List<Reuse> reuse;
  /// Per operand: it dies here and is read nowhere later in the operand list, so it may be moved
  /// out.
  List<bool> takes;
  Kernel kernel;
  std::vector<int32_t> functions;
  std::shared_ptr<const Collective> collective;
  /// For `send` and `recv`: where each device does, by device; nothing for one that takes no part.
  std::vector<std::optional<Mailbox>> mailboxes;
  /// For `case`: the selector is an index and not a predicate.
  bool selectsByIndex = false;
  /// For `buffer_load`: the cell gives its tensor up.
  bool takesFromCell = false;
  /// The number of the choice that it makes, or -1 (Arithmetic.h).
  int32_t choice = -1;
  /// It chooses by holding its operand as it was, and not by what it makes of it.
  bool holdsOperand = false;
  /// Of one device, as `workOf` tells.
  int64_t work = 0;
  /// `op` and location, for messages.
  std::string description;
};

struct PreparedFunction {
  std::vector<TensorType> argumentTypes, resultTypes;
  int64_t numValues;
  /// Without those of constants.
  std::vector<PreparedInstruction> instructions;
  /// As operands are.
  std::vector<ValueId> results;
  /// Per result: it is not among the later ones, so it may be moved out.
  std::vector<bool> takesResult;
  /// Per argument: something in the function reads it.
  std::vector<bool> readsArgument;
  /// By value: the tensor that it always is, or none. Frames do not hold these.
  std::vector<Tensor> constants;
};

struct PreparedProgram {
  int64_t numDevices;
  int32_t entry;
  std::vector<int32_t> entries; ///< By device; empty if all start with `entry`.
  std::vector<int32_t> infeed;
  std::vector<PreparedFunction> functions;

  int32_t entryOf(int64_t device) const { return entries.empty() ? entry : entries[device]; }

  /// Verifies and prepares all of `program`.
  static absl::StatusOr<PreparedProgram> create(const DeviceProgram &program,
                                                const KernelRegistry &registry);
  /// Prepares function number `entry` and what it runs. Requires verify(program).
  static absl::StatusOr<PreparedProgram> prepare(const DeviceProgram &program, int32_t entry,
                                                 const KernelRegistry &registry);
};

} // namespace spmd
