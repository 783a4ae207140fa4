// What becomes of each kind of `chlo` op. Each function replaces the ops of its kind in `module`.
#pragma once

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/SymbolTable.h"

namespace spmd::legalize {

/// Says which ops are left as they are.
using ShouldKeep = llvm::function_ref<bool(mlir::Operation *)>;

/// Writes what only abbreviates other ops: broadcasting ops, constants, scans. What replaces an op
/// has its discardable attributes, shardings among them; several results keep theirs as
/// constraints. Reports what has a dynamic shape, and fails.
mlir::LogicalResult expandAbbreviations(mlir::ModuleOp module, ShouldKeep shouldKeep);

/// Whether `op` stands for the call of a function that says what it computes.
bool isComposite(mlir::Operation *op);

/// Whether a composite has a sharding rule of its own and all that it takes to be partitioned by
/// it: tensors of static shape, and a decomposition that takes and gives the same, which `tables`
/// look up.
bool isSplitByRule(mlir::Operation *op, mlir::SymbolTableCollection &tables);

/// Makes calls of composites, where their decomposition is at hand and takes and gives what they
/// do. Those with a sharding rule of their own stay.
void callDecompositions(mlir::ModuleOp module);

/// Writes functions of elements, `top_k` and `ragged_dot` as StableHLO, Reports what it cannot, and
/// fails.
mlir::LogicalResult expandFunctions(mlir::ModuleOp module, ShouldKeep shouldKeep);

/// Writes normalizations that find their own statistics, or differentiate through them, as sums.
void expandBatchNorms(mlir::ModuleOp module);

/// Whether `op` is a custom call that stands for a function of `chlo`.
bool isFunctionCall(mlir::Operation *op);

/// Writes custom calls that stand for functions of `chlo` as these.
void replaceFunctionCalls(mlir::ModuleOp module);

/// Whether `op` is a custom call that searches for the largest elements, maybe missing some.
bool isSearchCall(mlir::Operation *op);

/// Writes custom calls that search for the largest elements, maybe missing some, as searches that
/// miss none.
void replaceSearchCalls(mlir::ModuleOp module);

/// Makes batch dims of what indices of gathers and scatters count along their own dims.
void separateCountedIndices(mlir::ModuleOp module);

/// Writes slices and updates that start now and are done later as what they are, so that they split
/// as others do. (Collectives stay: what runs beside them is for the compiler behind us.)
void joinLocalMoves(mlir::ModuleOp module);

/// Puts `values` in the place of `op`, which they take the discardable attributes of.
void replaceOp(mlir::Operation *op, mlir::ValueRange values);

/// Reports the first operand or result of `op` that is no tensor of static shape.
mlir::LogicalResult checkStatic(mlir::Operation *op);

/// Reports that there is no expansion for elements of type `element`, and fails.
mlir::LogicalResult reportElements(mlir::Operation *op, mlir::Type element);
/// Reports the first operand or result of `op` that holds no integers, floats or complex numbers.
mlir::LogicalResult checkPlainElements(mlir::Operation *op);

} // namespace spmd::legalize
