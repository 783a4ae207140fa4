// Values that are made alike: the same slice, reversal or product, said twice of the same values.
//
// A program that updates a slice in place says the slice once for each operand of the update, and
// one that calls a function twice says all of it twice. Each is a value of its own, and what is
// gathered of them is alike only for those who look behind them.
#pragma once

#include "mlir/IR/Operation.h"

namespace spmd {

/// Finds ops of one block that give the same, and the values that they give. Nothing is rewritten.
class AlikeValues {
public:
  explicit AlikeValues(mlir::Block *block) : block(block) {}

  /// Returns the first op that was asked for and gives what `op` gives: `op` itself if none does.
  mlir::Operation *firstAlike(mlir::Operation *op);

  /// Returns the first value that was asked for and is made as `value` is: itself if none is.
  mlir::Value first(mlir::Value value);

  /// Whether what `op` gives follows from its operands and attributes alone. Not so a barrier,
  /// which keeps what is alike apart, nor a collective, which is looked at on its own.
  static bool isLink(mlir::Operation *op);

  /// How many links are looked at behind a value, one behind the other.
  static constexpr int mostLinks = 8;

private:
  /// Looks at the links that lead to `value`, the last `depth` of them.
  void learn(mlir::Value value, int depth);
  /// As `firstAlike`, by what was learnt of the operands.
  mlir::Operation *firstKnown(mlir::Operation *op);
  /// As `first`, as far as was learnt.
  mlir::Value firstLearnt(mlir::Value value) const;
  bool areAlike(mlir::Operation *a, mlir::Operation *b) const;

  mlir::Block *block;
  llvm::DenseMap<mlir::Operation *, mlir::Operation *> firsts; ///< Of links that were looked at.
  llvm::DenseMap<uint32_t, mlir::Operation *> known;           ///< By hash.
};

} // namespace spmd
