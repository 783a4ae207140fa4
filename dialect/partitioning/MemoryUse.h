// What an op reads and writes of its operands and results when it runs, for cost models.
#pragma once

#include "spmd/dialect/partitioning/Partitionable.h"

namespace spmd {

enum class MemoryUse : uint8_t {
  none,      ///< Its results are its operands under other names or shapes: reshape, barrier.
  resident,  ///< Its result is part of the program: a constant.
  made,      ///< Its result is made of little, wherever it is read: broadcast, iota.
  elements,  ///< Computes each element from those at its place: add, select.
  moves,     ///< Only moves elements: pad, concatenate, transpose.
  part,      ///< Moves that part of operand 0 which becomes the result: slice, gather.
  update,    ///< It writes part of operand 0 in place: dynamic_update_slice, scatter.
  reduction, ///< Elements of operands are combined: reduce, reduce_window.
  whole      ///< All operands are read and all results written: products, sort.
};

/// Returns how `op` uses memory. Ops that are not known, and those with effects, are `whole`.
MemoryUse memoryUseOf(mlir::Operation *op, StrategyCache &strategies);

/// Returns how many of the first operands an `update` writes in place.
unsigned numUpdatedInPlace(mlir::Operation *op);

/// Whether each element of the result takes a function that units for additions and products lack:
/// exponential, tanh, sqrt and their like.
bool isTranscendental(mlir::Operation *op);

/// Whether `op` adds up products of elements of two operands.
bool multiplies(mlir::Operation *op, StrategyCache &strategies);

} // namespace spmd
