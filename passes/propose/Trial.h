// What a program moves and holds under a plan, found by partitioning a copy of it.
#pragma once

#include "spmd/dialect/sdy/Dialect.h"
#include "spmd/passes/Passes.h"
#include "spmd/passes/propose/RepeatedWork.h"

#include "mlir/IR/Value.h"

namespace spmd {

/// What one device does in one run of a program.
struct TrialCosts {
  int64_t wireBytes = 0; ///< That it sends, in all collectives.
  int64_t heldBytes = 0; ///< Of its arguments and results.
  RepeatedWork repeated;

  /// Whether a device sends less, or holds less.
  bool isLessThan(const TrialCosts &other) const {
    return wireBytes < other.wireBytes || heldBytes < other.heldBytes;
  }
};

/// Says both: "tried: a device sends 10 bytes instead of 0, and holds 20 bytes of arguments and
/// results instead of 160".
std::string describe(const TrialCosts &before, const TrialCosts &after);

/// Partitions `module`, a program as the stage functionalize leaves it, and returns what a device
/// does then. Nothing is reported. Returns nothing if the program is refused.
std::optional<TrialCosts> tryProgram(mlir::ModuleOp module, const PipelineOptions &options);

/// Returns what a device does if `module`, a program as the stage functionalize leaves it, is
/// partitioned under the plan in `planText`, which may be empty. The module stays as it is; nothing
/// is reported. Returns nothing if the plan or the program is refused.
std::optional<TrialCosts> tryPlan(mlir::ModuleOp module, llvm::StringRef planText,
                                  const PipelineOptions &options);

/// Returns the same for a constraint behind `value` of `module`.
std::optional<TrialCosts> tryConstraint(mlir::ModuleOp module, mlir::Value value,
                                        sdy::ShardingAttr sharding, const PipelineOptions &options);

} // namespace spmd
