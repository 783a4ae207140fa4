// Synthetic programs of any size, for measuring how stages scale.
#pragma once

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace spmd::bench {

enum class ProgramKind {
  chain,     ///< One value through all ops, every eighth a product with the one weight.
  tree,      ///< A sum of many leaves, pair by pair; a sharding at every 64th leaf.
  fanOut,    ///< One value that half of the ops read, half of those transposed, summed up.
  hub,       ///< One value that all ops read.
  line,      ///< Elementwise ops, each reading the one before.
  constant,  ///< A line of sums, each with the one constant.
  conflicts, ///< A line with a constraint on every fourth op, four shardings in turn.
  layers,    ///< Layers of two products with a residual; each layer has its own weights.
  calls,     ///< Calls of functions of eight ops, each function called once.
  shared,    ///< Calls of one function of eight ops.
  barrier,   ///< One optimization barrier over half as many values as there are ops.
  priorities ///< A line with a constraint on every second op, each of its own user priority.
};

inline constexpr ProgramKind allProgramKinds[] = {
    ProgramKind::chain, ProgramKind::tree,     ProgramKind::fanOut,    ProgramKind::hub,
    ProgramKind::line,  ProgramKind::constant, ProgramKind::conflicts, ProgramKind::layers,
    ProgramKind::calls, ProgramKind::shared,   ProgramKind::barrier,   ProgramKind::priorities};

/// Returns "chain", "fan_out" and so on.
const char *nameOf(ProgramKind kind);

/// Returns a program of about `numOps` ops on a mesh <["x"=numDevices/2, "y"=2]>, sharded at its
/// arguments. `context` needs the dialects of this compiler.
mlir::OwningOpRef<mlir::ModuleOp> makeProgram(mlir::MLIRContext &context, ProgramKind kind,
                                              int64_t numOps, int64_t numDevices = 8);

} // namespace spmd::bench
