// One op alone in a program: whole on one device, or split over a mesh as a rule says it may be.
//
//     func @main(%0: tensor<5x4xf32> {sdy.sharding = [{"x"}, {}]}, ..) -> (.. {sdy.sharding = ..})
//     {
//       %1 = stablehlo.dot_general %0, .. {sdy.sharding = ..}
//       return %1
//     }
#pragma once

#include "spmd/ir/rules/Projection.h"
#include "spmd/ir/rules/Strategy.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace spmd {

/// Operands that come to an op as shares of one kind, which each device has its own of.
struct PartialOperands {
  llvm::SmallVector<unsigned> operands;
  ReductionKind kind = ReductionKind::sum;
};

/// How an op runs.
struct PlacedOp {
  mlir::Operation *op;
  const Strategy *strategy;
  const Mesh *mesh = nullptr; ///< Null for one device.
  FactorAxes factorAxes = {};
  PartialOperands partial = {};
  /// How many shares partial operands have. On a mesh they lie along its last axis.
  int64_t numShares = 1;
};

/// Returns the program of `placed`, in the form that the reshard stage leaves: the partition stage
/// is all that it lacks. Functions that the op names are left out.
///
/// A partial operand is an argument with one more dim, the first, that is reduced before the op.
/// Requires that regions of the op read nothing from outside but constants.
mlir::OwningOpRef<mlir::ModuleOp> makeProgram(const PlacedOp &placed);

/// Copies the functions that `from` names, and those that they name, from its module to `module`.
void copyNamedFunctions(mlir::Operation *from, mlir::ModuleOp module);

/// Returns whether regions of `op` read values from outside, constants not counted if
/// `butConstants`.
bool readsOutside(mlir::Operation *op, bool butConstants);

/// Returns whether the results of an op with partial operands, so placed, are shares of one kind.
bool leavesOneState(const PlacedOp &placed);

/// Returns the sharding that result `result` has when the op is so placed.
Sharding shardingOfResult(const PlacedOp &placed, unsigned result);

} // namespace spmd
