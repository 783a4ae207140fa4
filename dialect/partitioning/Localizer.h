// What an op's `localize` has to work with: the op with local operands, and how everything lies.
#pragma once

#include "spmd/dialect/partitioning/Partitionable.h"
#include "spmd/dialect/partitioning/Positions.h"
#include "spmd/dialect/partitioning/algorithms/CollectiveBuilder.h"

#include "mlir/IR/BuiltinTypes.h"

namespace spmd {

/// Local types, each made once.
class LocalTypes {
public:
  /// As `localTypeOf`. `sharding` must outlive this.
  mlir::RankedTensorType of(mlir::RankedTensorType type, const Sharding &sharding);

private:
  llvm::DenseMap<std::pair<mlir::Type, const Sharding *>, mlir::RankedTensorType> known;
};

class Localizer {
public:
  /// The global type and sharding of an operand or result; `type` is null for what is no tensor.
  struct Tensor {
    mlir::RankedTensorType type;
    const Sharding *sharding;
  };

  Localizer(mlir::Operation *op, const Mesh &mesh, mlir::Attribute meshAttr, Positions &positions,
            CollectiveBuilder &collectives, LocalTypes &types, const Strategy *strategy,
            const FactorAxes &factorAxes, llvm::ArrayRef<Tensor> operands,
            llvm::ArrayRef<Tensor> results)
      : op(op), builder(op), mesh(mesh), meshAttr(meshAttr), positions(positions),
        collectives(collectives), strategy(strategy), types(types), operands(operands),
        results(results), axesOfFactors(factorAxes), opBefore(op->getPrevNode()) {}

  mlir::Operation *op;
  /// Inserts before `op`.
  mlir::OpBuilder builder;
  const Mesh &mesh;
  /// Names `mesh` in groups of collectives.
  mlir::Attribute meshAttr;
  Positions &positions;
  CollectiveBuilder &collectives;
  /// The one the op runs by; null for ops without a rule.
  const Strategy *strategy;

  const Tensor &operand(unsigned i) const { return operands[i]; }
  const Tensor &result(unsigned i) const { return results[i]; }
  mlir::RankedTensorType localType(const Tensor &tensor) const;

  /// Returns the axes along which the op's factors are split.
  const FactorAxes &factorAxes() const { return axesOfFactors; }

  /// Returns the axes along which a factor is split; none if it is not.
  absl::Span<const AxisRef> axesOf(int32_t factor) const { return axesOfFactors[factor]; }

  /// Gives each result its local type: all there is to do for most ops.
  void setResultTypes();
  /// Replaces the op by values of its results' local types, and erases it. The ops that produce
  /// the values, if they were made for it, inherit its attributes of unknown dialects.
  void replaceWith(mlir::ValueRange values);

private:
  LocalTypes &types;
  llvm::ArrayRef<Tensor> operands, results;
  const FactorAxes &axesOfFactors;
  mlir::Operation *opBefore; ///< The op in front of `op` at first, or null.

  void handAttributesOn(mlir::ValueRange values);
};

/// Returns the type of one device's part of a tensor, padding included.
mlir::RankedTensorType localTypeOf(mlir::RankedTensorType type, const Sharding &sharding);

} // namespace spmd
