// Integers that are known before the program runs: sizes of dims, and arithmetic on them.
#pragma once

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Operation.h"
#include "llvm/ADT/DenseMap.h"

#include <optional>

namespace spmd {

/// The elements of a tensor, in row-major order, each as wide as its type.
using Ints = llvm::SmallVector<llvm::APInt, 4>;

/// What is known of the values of one function. Tensors of integers or booleans with at most
/// `mostElements` elements are followed; sizes never need more.
class KnownInts {
public:
  static constexpr int64_t mostElements = 256;

  /// Returns whether values of `type` are followed.
  static bool canHold(mlir::Type type);

  /// Returns the elements of `value`, or null.
  const Ints *lookup(mlir::Value value) const;
  /// The same as numbers.
  std::optional<llvm::SmallVector<int64_t>> numbers(mlir::Value value) const;

  void set(mlir::Value value, Ints elements) { known[value] = std::move(elements); }

  /// Works out the results of `op`, if it computes on integers that are known. Other ops, and types
  /// that are still dynamic, leave their results unknown.
  void evaluate(mlir::Operation *op);

private:
  llvm::DenseMap<mlir::Value, Ints> known;
};

/// Returns the constants that say `elements`, of the type of `value`.
mlir::Attribute constantOf(mlir::RankedTensorType type, const Ints &elements);

} // namespace spmd
