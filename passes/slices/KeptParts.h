// Sums that are added up onto parts.
//
//     %dw = dot %x, %dy                         sums up rows of a batch that is split
//     %new = subtract %w, %dw                   %w: pinned [{"x"}, {}]
//
// Each device then needs the part of the sum that it holds of %w, and nobody waits for it: so it is
// with gradients under FSDP. What is held whole needs all of the sum on every device.
#pragma once

#include "spmd/dialect/partitioning/Partitionable.h"

#include "llvm/ADT/DenseSet.h"

namespace spmd {

/// What pins cut among devices.
class KeptParts {
public:
  /// Notes a value that is pinned in parts.
  void add(mlir::Value value) { values.insert(value); }
  /// Notes a result of `func` that is.
  void addResult(mlir::Operation *func, unsigned index) { results.insert({func, index}); }

  /// Whether `sum`, in other dims or after ops of elements, meets a value that is kept in parts,
  /// or is itself. Looks at so many values around it at most that it takes no time to speak of.
  bool take(mlir::Value sum, StrategyCache &strategies) const;

private:
  bool comesFromParts(mlir::Value value, StrategyCache &strategies) const;

  llvm::DenseSet<mlir::Value> values;
  llvm::DenseSet<std::pair<mlir::Operation *, unsigned>> results;
};

} // namespace spmd
