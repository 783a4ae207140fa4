// What is sharded around values that are not.
#pragma once

#include "spmd/dialect/partitioning/Partitionable.h"

#include "mlir/IR/Operation.h"
#include "llvm/ADT/DenseMap.h"

#include <functional>

namespace spmd {

/// The sharded values nearest to a value: among what it is made of, and among what is made of it.
/// Looks only as far as what is not sharded reaches, at each op once for all values together.
class Neighbours {
public:
  struct Near {
    mlir::Value value;    ///< Null if there is none.
    int32_t distance = 0; ///< In ops.
  };

  explicit Neighbours(std::function<bool(mlir::Value)> isSharded)
      : isSharded(std::move(isSharded)) {}

  Near madeFrom(mlir::Value value);
  Near usedFor(mlir::Value value);

private:
  using Memory = llvm::DenseMap<mlir::Operation *, Near>;
  /// The nearest of the operands that a factor splits.
  struct Along {
    Near near;
    size_t operand = 0;
    bool isTied = false; ///< There are such operands.
  };
  void lookBefore(mlir::Operation *op);
  Near lookAt(mlir::Value operand);
  static void takeAlong(Along &own, const Along &other);
  const OpRule *ruleOf(mlir::Operation *op);
  const std::vector<Along> &alongFactorsOf(mlir::Operation *op, const OpRule &rule);
  void lookBehind(mlir::Operation *op);
  Near nearestUser(mlir::Value value) const;

  std::function<bool(mlir::Value)> isSharded;
  StrategyCache strategies;
  // Of ops with several results:
  llvm::DenseMap<mlir::Operation *, const OpRule *> rules;
  llvm::DenseMap<mlir::Operation *, std::vector<Along>> alongFactors;
  Memory before; ///< What comes next to the operands of an op, one op further than from them.
  Memory behind; ///< The same of its results.
};

} // namespace spmd
