// The values that the entries of a plan match.
#pragma once

#include "spmd/dialect/sdy/Dialect.h"
#include "spmd/dialect/spmd/FileReporter.h"
#include "spmd/ir/plan/Plan.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/MapVector.h"

namespace spmd {

/// A place where a sharding can be written.
struct PlanTarget {
  enum class Kind {
    argument,     ///< Of the entry function: an attribute.
    argumentUses, ///< A constraint between an argument and all its uses.
    opResult,     ///< A constraint between an op's result and all its uses.
    opResultUses, ///< Another one behind it.
    operand,      ///< A constraint before an op.
    operandUse,   ///< Another one behind it.
    returned,     ///< A constraint before the entry function returns.
    result        ///< Of the entry function: an attribute.
  };
  Kind kind;
  mlir::Operation *op; ///< The entry function for its arguments and results.
  unsigned index;

  mlir::RankedTensorType type() const;
  mlir::Location location() const;
  /// "argument 0 of @main", "'stablehlo.add' op result 0".
  std::string describe() const;
};

/// What an entry says about a target: a sharding of its own, or what its style means there.
struct PlanClaim {
  const PlanEntry *entry;
  const PlanSharding *spec; ///< Null for styles and placements.
  bool isByName = true;     ///< Not by a pattern that others match, too.
};

/// Targets with what is said about them, in the order in which entries match them.
using PlanTargets = llvm::MapVector<std::tuple<int, mlir::Operation *, unsigned>,
                                    std::pair<PlanTarget, llvm::SmallVector<PlanClaim, 2>>>;

/// Returns the constraint that alone uses `value`, the result of an op, and so says how it lies;
/// null if there is none. Where others use the value, too, or it is a constraint's itself, data
/// moves there, and each has its own.
sdy::ShardingConstraintOp constraintOf(mlir::Value value);

/// Returns the function whose arguments and results a plan speaks of: @main, or else the first
/// public one with a body; null if there is none.
mlir::func::FuncOp entryFunction(mlir::ModuleOp module);

/// Returns what the entries of `plan` match in `module`, and reports each pattern that matches
/// nothing.
PlanTargets matchTargets(mlir::ModuleOp module, const ProgramPlan &plan, FileReporter &reporter);

} // namespace spmd
