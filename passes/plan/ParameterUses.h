// What a program does with its parameters: which dims of a weight its first product keeps, which it
// sums over, and what is added to that product.
//
//     %0 = dot_general %x, %w, contracting_dims = [1] x [0]     %w: sums over dim 0, keeps dim 1
//     %2 = add %0, broadcast(%b)                                %b: its dim 0 goes with dim 1 of %w
//
// So a style of parallelism need not know how a framework lays out its weights.
#pragma once

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"

namespace spmd {

struct ParameterUse {
  /// Dims of the parameter in its first product, in order; both empty if there is none. A lookup by
  /// index is a product with a one-hot matrix.
  llvm::SmallVector<int64_t> kept, summed;
  /// Else, the parameter to whose product it is joined element by element, or none.
  int64_t partner = none;
  /// Then, for each of its dims the dim of the partner that it goes with, or none, and the dims of
  /// the partner that this product keeps. It need not be the partner's first.
  llvm::SmallVector<int64_t> partnerDims, partnerKept;
  /// Whether it meets, element by element, what some product has made.
  bool meetsProduct = false;
  /// Whether some product is of its elements as real numbers, maybe scaled by a smaller parameter:
  /// integers are converted then, and not what is looked up, compared or counted by.
  bool isOfNumbers = false;
  /// The parameters that its first product is with.
  llvm::SmallVector<int64_t, 1> factors;
  /// Whether some result is a new version of it (Updates.h).
  bool isUpdated = false;

  static constexpr int64_t none = -1;
  bool isInProduct() const { return !kept.empty() || !summed.empty(); }
};

/// Returns what is done with each argument of `entry`, a function of `module`.
///
/// Follows dims by the sharding rules of the ops (their factors), through ops that have no other
/// tensor, loops, branches and calls, in program order. Looks at no more ops than a few times those
/// of the module; nests of calls that would take more are not followed to their end.
std::vector<ParameterUse> parameterUses(mlir::ModuleOp module, mlir::func::FuncOp entry);

} // namespace spmd
