// Which values of a program are ahead or late, as `ir/choose/Timing.h` says of those of a graph.
#pragma once

#include "spmd/dialect/partitioning/Partitionable.h"
#include "spmd/ir/choose/Timing.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

#include <memory>

namespace spmd {

class Waiting {
public:
  explicit Waiting(StrategyCache &strategies) : strategies(strategies) {}

  /// Looks at a function in which nothing is moved yet: what is outside of regions in @main may be
  /// ahead or late, nothing else is. Linear in its ops, once.
  void start(mlir::func::FuncOp func);

  bool isAhead(mlir::Value value) const { return ahead.contains(origin(value)); }
  bool isLate(mlir::Value value) const { return late.contains(origin(value)); }

private:
  /// Operands and results of an op, by number, that have to do with each other.
  struct Part {
    std::vector<int32_t> operands, results;
  };

  static mlir::Value origin(mlir::Value value);
  const std::vector<Part> &lightParts(mlir::Operation *op);
  void markAhead(mlir::Operation *op, const std::vector<Part> &parts);
  static void markWaited(mlir::Operation *op, const std::vector<Part> &parts,
                         llvm::DenseSet<mlir::Value> &waited);

  StrategyCache &strategies;
  llvm::DenseSet<mlir::Value> ahead, late;
  /// None of products.
  llvm::DenseMap<const Strategies *, std::unique_ptr<std::vector<Part>>> partsOfRules;
};

} // namespace spmd
