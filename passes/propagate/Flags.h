// Reports of values without a sharding: where, why, and what to write.
#pragma once

#include "spmd/passes/Options.h"
#include "spmd/passes/propagate/WriteBack.h"

namespace spmd {

/// A value that propagation left without a sharding. Plain text, so that it outlives the module.
struct Flag {
  /// "file:line:column", or as MLIR prints what is none.
  std::string location;
  /// "argument 0 of @main", "'stablehlo.add' op result 0".
  std::string value;
  /// Why, and what to write.
  std::string message;
};

/// Marks and reports the values that nothing reached: an error each (OnMissing::error), else a
/// warning, with notes that name the nearest user. Returns failure if the policy is to fail and
/// there are any.
mlir::LogicalResult reportMissing(ProgramGraph &program, llvm::ArrayRef<Knowledge> knowledge,
                                  OnMissing onMissing);

/// Returns the flags that propagation left in `module`, in program order.
std::vector<Flag> collectFlags(mlir::ModuleOp module);

} // namespace spmd
