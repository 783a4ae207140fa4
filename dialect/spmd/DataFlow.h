// Tensors through regions: what the engines know of loops, branches and manual computations.
//
//     %r = while(%c = %a) cond { .. } do { .. return %b }        one flow: %a and %b come in,
//                                                               %c (in both regions) and %r come
//                                                               out
//
// All values of a flow are one tensor; it has one sharding, to which whatever comes in is brought.
#pragma once

#include "spmd/dialect/spmd/ValueSharding.h"

namespace spmd {

/// One tensor at the places where an op with regions passes it on.
struct Flow {
  /// Where values come in: operands of the op, and of the terminators of its regions.
  llvm::SmallVector<mlir::OpOperand *, 2> sources;
  /// Where the tensor comes out: arguments of the regions, results of the op.
  llvm::SmallVector<mlir::Value, 3> targets;
};

} // namespace spmd

#include "spmd/dialect/spmd/DataFlow.h.inc"

namespace spmd {

/// Returns how the values of flow `flow` lie inside the regions of `op`: as outside, without the
/// axes that are manual there.
ValueSharding shardingInside(DataFlow op, unsigned flow);

/// Returns the names of the axes that are manual in the regions of `op`: those of data-flow ops,
/// its own and those around it, and those of the callers of its function.
llvm::SmallVector<llvm::StringRef> manualAxesInside(mlir::Operation *op);

/// Returns whether no axis with more than one device is left to the compiler inside `op`: nothing
/// there can be split. `manualOutside` are axes that the callers of the function made manual.
bool isAllManual(DataFlow op, llvm::ArrayRef<llvm::StringRef> manualOutside = {});

/// Calls `visit` for the ops of `func` and of the regions of data-flow ops inside it, each before
/// what it contains.
void walkDataFlow(mlir::func::FuncOp func, llvm::function_ref<void(mlir::Operation *)> visit);

/// Drops what the ops of `region` say of shardings.
void clearShardings(mlir::Region &region);

/// Drops what the regions of ops that are no data-flow ops say of shardings: they compute with
/// single elements, or run whole.
void clearScalarBodies(mlir::ModuleOp module);

/// Whether data flows through `func`: it has a body, which returns. Others are for the custom calls
/// that name them, which compute with single elements.
bool isRun(mlir::func::FuncOp func);

/// Fails after reporting every function with more than one block, or that may be called and does
/// not return.
mlir::LogicalResult checkSingleBlocks(mlir::ModuleOp module);

} // namespace spmd
