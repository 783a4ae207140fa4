// Values made of nothing but constants and scalars: as well made anew, part by part, as moved.
//
//     %i = iota : [{"x"}]; %s = sine %i : [{"x"}]; dot %m, %s    %s is wanted whole
//  => %j = iota : [{}];    %t = sine %j : [{}];    dot %m, %t    nothing moves
#pragma once

#include "spmd/passes/reshard/Values.h"

namespace spmd {

/// The ops of a function that make such values and take such values.
class Remade {
public:
  Remade(Layouts &layouts, Values &values) : layouts(layouts), values(values) {}

  /// Forgets the ops of the function before.
  void startFunction() { known.clear(); }

  /// Marks the result of `op` free if it works element by element on what is free, and it takes few
  /// ops to make it from nothing. Returns whether it did. Requires `op` to lie as it will.
  bool add(mlir::Operation *op, const OpKind &kind);

  /// Takes in `clone`, which does what `op` does.
  void addClone(mlir::Operation *op, mlir::Operation *clone);

  /// Whether `op` was added.
  bool contains(mlir::Operation *op) const { return known.contains(op); }

  /// Returns how operand `number` of `op` lies if the result lies as `wanted` says; -1 if no layout
  /// makes it so. Requires `op` to be added.
  int32_t layoutOfOperand(mlir::Operation *op, unsigned number, int32_t wanted);

private:
  struct Maker {
    const OpRule *rule;
    int32_t ops; ///< That make the result, from nothing; no more than so many.
  };

  /// Returns how many ops and scalars make the result of `op` at most. What is read several times
  /// counts once wherever it would be too much otherwise.
  int32_t countOps(mlir::Operation *op) const;

  Layouts &layouts;
  Values &values;
  llvm::DenseMap<mlir::Operation *, Maker> known;
};

} // namespace spmd
