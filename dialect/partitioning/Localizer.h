// What an op's `localize` has to work with: the op with local operands, and how everything lies.
#pragma once

#include "spmd/dialect/partitioning/Partitionable.h"
#include "spmd/dialect/partitioning/Positions.h"

#include "mlir/IR/BuiltinTypes.h"

namespace spmd {

class Localizer {
public:
  /// The global type and sharding of an operand or result; `type` is null for what is no tensor.
  struct Tensor {
    mlir::RankedTensorType type;
    const Sharding *sharding;
  };

  Localizer(mlir::Operation *op, const Mesh &mesh, Positions &positions, const Strategy *strategy,
            FactorAxes factorAxes, llvm::ArrayRef<Tensor> operands, llvm::ArrayRef<Tensor> results)
      : op(op), builder(op), mesh(mesh), positions(positions), strategy(strategy),
        operands(operands), results(results), axesOfFactors(std::move(factorAxes)) {}

  mlir::Operation *op;
  /// Inserts before `op`.
  mlir::OpBuilder builder;
  const Mesh &mesh;
  Positions &positions;
  /// The one the op runs by; null for ops without a rule.
  const Strategy *strategy;

  const Tensor &operand(unsigned i) const { return operands[i]; }
  const Tensor &result(unsigned i) const { return results[i]; }
  mlir::RankedTensorType localType(const Tensor &tensor) const;

  /// Returns the axes along which the op's factors are split.
  const FactorAxes &factorAxes() const { return axesOfFactors; }

  /// Gives each result its local type: all there is to do for most ops.
  void setResultTypes();
  /// Replaces the op by values of its results' local types, and erases it.
  void replaceWith(mlir::ValueRange values);

private:
  llvm::ArrayRef<Tensor> operands, results;
  FactorAxes axesOfFactors;
};

/// Returns the type of one device's part of a tensor, padding included.
mlir::RankedTensorType localTypeOf(mlir::RankedTensorType type, const Sharding &sharding);

} // namespace spmd
