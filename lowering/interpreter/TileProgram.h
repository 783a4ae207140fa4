// A chain of elementwise steps, executed tile by tile so that what lies between the steps stays in
// cache.
#pragma once

#include "spmd/lowering/interpreter/Expansion.h"
#include "spmd/lowering/interpreter/KernelRegistry.h"

#include <optional>

namespace spmd {

/// A function of elementwise instructions (and constants), bound to its step functions.
class TileProgram {
public:
  /// Prepares `body`. Results have one shape; arguments have it, or rank 0 and are then broadcast,
  /// or another and are read by `broadcast_in_dim` only. InvalidArgument, naming the instruction,
  /// if one is not elementwise or shapes differ.
  static absl::StatusOr<TileProgram> create(const DeviceProgram &program, const Function &body,
                                            const KernelRegistry &registry);

  /// Computes `n` elements. An input marked in `isScalar` has one element. An output may be an
  /// input where `reuse` says so.
  void run(int64_t n, absl::Span<const void *const> inputs, absl::Span<void *const> outputs,
           const std::vector<bool> &isScalar) const;

  /// The only step, which computes all of `n` elements from stored arguments to a stored result.
  struct SingleStep {
    TileStep step;
    int numOperands;
    int32_t operands[3]; ///< Arguments.
  };
  std::optional<SingleStep> singleStep(int64_t n, const std::vector<bool> &isScalar) const;

  /// Returns per result the arguments it may overwrite: of the same stored size, not broadcast, not
  /// read by later steps.
  std::vector<std::vector<int>> reuse(const std::vector<bool> &isScalar) const;

private:
  struct BoundStep {
    TileStep step;
    int numOperands;
    int32_t operands[3];
    int32_t result;
    /// Makes the result representable, or null.
    void (*round)(int64_t n, void *native);
  };
  /// An argument as `broadcast_in_dim` shows it.
  struct ExpandedValue {
    int32_t value, argument;
    std::vector<int64_t> strides; // Of the argument, by dim of the value.
    Expansion expansion;
    int64_t argumentElements;
  };
  struct ConstantValue {
    int32_t value;
    std::string native;    // One element.
    const std::byte *kept; // A tile of it, or null.
  };

  absl::Status add(const DeviceProgram &program, const Function &body,
                   const Instruction &instruction, const KernelRegistry &registry);
  absl::Status addBroadcast(const Function &body, const Instruction &instruction);
  absl::Status addConstant(const DeviceProgram &program, const Instruction &instruction);
  void allocateRegisters();
  void findSingleStep();

  int32_t numArguments = 0;
  std::vector<ElementType> elements; // By value.
  std::vector<int32_t> sameAs;       // By value: the value it is another name of, or itself.
  std::vector<int32_t> registers;    // By value; -1 for one never held in a register.
  std::vector<int32_t> results;
  std::vector<int32_t> directOutput; // By value: the output it is computed into, or -1.
  std::vector<BoundStep> steps;
  bool isSingleStep = false; // Of stored arguments to a stored result: nothing lies in between.
  std::vector<ConstantValue> constants;
  std::vector<ExpandedValue> expanded;
  std::vector<bool> isExpanded; // By argument: broadcasts read it.
  std::vector<bool> isWhole;    // By argument: it has the shape of the results, or rank 0.
  int32_t numRegisters = 0;
  int32_t registerBytes = 1; // Of one element in the widest register.
};

/// Prepares a single elementwise instruction, and one with op `fused` and a body.
absl::StatusOr<Kernel> prepareStep(const KernelRequest &request);
absl::StatusOr<Kernel> prepareFused(const KernelRequest &request);

} // namespace spmd
