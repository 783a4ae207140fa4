// Numbers of values, in an array that lies as the program does.
#pragma once

#include "spmd/dialect/spmd/OpNumbers.h"

namespace spmd {

/// A map from values to numbers of 0 and more. Values that are all that an op makes have their
/// entries where the op's is (`OpNumbers.h`). Values must not be erased meanwhile.
class ValueNumbers {
public:
  void set(mlir::Value value, int32_t number) {
    if (mlir::Operation *op = onlyMakerOf(value))
      ofMakers.set(op, number);
    else
      others[value] = number;
  }

  /// Returns -1 for a value without a number.
  int32_t lookup(mlir::Value value) const {
    if (mlir::Operation *op = onlyMakerOf(value))
      return ofMakers.lookup(op);
    auto found = others.find(value);
    return found == others.end() ? -1 : found->second;
  }

private:
  /// The op whose only result `value` is, null if there is none.
  static mlir::Operation *onlyMakerOf(mlir::Value value) {
    mlir::Operation *op = value.getDefiningOp();
    return op && op->getNumResults() == 1 ? op : nullptr;
  }

  OpNumbers ofMakers;
  llvm::DenseMap<mlir::Value, int32_t> others;
};

} // namespace spmd
