// The collectives of a partitioned program, and what each moves.
#pragma once

#include "spmd/dialect/spmd/Causes.h"
#include "spmd/passes/why/RunCounts.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"

namespace spmd {

struct FoundCollective {
  mlir::Operation *op;
  std::string kind;             ///< "all_gather"
  int64_t runs = 1;             ///< How often one run of the program makes it.
  bool hasUnknownTrips = false; ///< It is in a loop of unknown length, counted as one turn.
  int64_t groupSize = 1;
  int64_t operandBytes = 0, resultBytes = 0; ///< Of one device, in one run.
  int64_t wireBytes = 0; ///< What one device sends in all runs (ir/reshard/WireBytes.h).
  std::vector<Cause> causes;
};

/// Returns the collectives that a run of @main reaches, in program order, function by function, as
/// `spmd-run` counts them. Linear.
std::vector<FoundCollective> findCollectives(mlir::ModuleOp module);

/// Returns the sum of what one device sends.
int64_t wireBytesOf(const std::vector<FoundCollective> &collectives);

/// Returns the bytes of the tensors among `types`.
int64_t bytesOf(mlir::TypeRange types);

} // namespace spmd
