// Reports of values without a sharding: where, why, and what to write.
#pragma once

#include "spmd/passes/Options.h"
#include "spmd/passes/propagate/SplitAlike.h"
#include "spmd/passes/propagate/WriteBack.h"

namespace llvm::json {
class OStream;
}

namespace spmd {

/// A value that propagation left without a sharding. Plain text, so that it outlives the module.
struct Flag {
  /// A value that has one, nearby.
  struct Near {
    std::string value, location, sharding; ///< All empty if there is none.
    int32_t distance = 0;                  ///< In ops.
  };
  /// "file:line:column", or as MLIR prints what is none.
  std::string location;
  /// "argument 0 of @main", "'stablehlo.add' op result 0".
  std::string value;
  /// What is wrong, what is done instead, and what to do.
  std::string message;
  /// How it lies by default: "whole on every device".
  std::string assumed;
  /// What it is made of, and what is made of it, that has a sharding.
  Near operand, user;
  /// The line that would split it; empty if no axis fits.
  std::string write;
  /// Where it is empty, why, and the line that says that the value is whole on purpose.
  std::string unsplit, keepWhole;
};

/// Writes a flag as an object.
void writeJson(const Flag &flag, llvm::json::OStream &json);

/// Reports the values that nothing reached: an error each (OnMissing::error), else a warning for
/// each of the largest lines of the source (Listing.h) and a remark that counts the others; with
/// `verbose`, a warning each. Where they are held whole, a remark counts them. Notes name the first
/// user, the nearest values with a sharding, and the line to write. Where ops without a rule are
/// errors of the stage behind this one, that they make values without a sharding is not warned of:
/// it is not what is to be mended. Returns failure if the policy is to fail and there are any.
mlir::LogicalResult reportMissing(ProgramGraph &program, llvm::ArrayRef<Knowledge> knowledge,
                                  OnMissing onMissing, OnNoRule onNoRule, bool verbose);

/// Returns what the first instance of a value's function says of how the value lies. Both must
/// outlive it.
SplitAlike::Lookup shardingsIn(const ProgramGraph &program);

/// Returns the flags of a program that nothing was written back to yet, in program order.
std::vector<Flag> findFlags(ProgramGraph &program, llvm::ArrayRef<Knowledge> knowledge);

/// Returns what is reported of a value that nothing reached.
std::string textOfFlag(mlir::Value value, OnMissing onMissing);

/// Visits the values that propagation has marked as without a sharding, in program order.
void forEachFlagged(mlir::ModuleOp module, llvm::function_ref<void(mlir::Value)> visit);

/// Returns the flags that propagation left in `module`, in program order.
std::vector<Flag> collectFlags(mlir::ModuleOp module);

} // namespace spmd
