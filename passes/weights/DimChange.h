// A dim of a tensor that is cut, or written as several, and the ops that make a tensor so changed
// from changed operands:
//
//     slice [.., 8:16] of dot(x, w)                   dot(x, slice [.., 8:16] of w)
//     reshape .., 48 -> .., 3, 16 of x + broadcast b  reshape of x + broadcast (reshape of b)
#pragma once

#include "spmd/dialect/partitioning/Partitionable.h"
#include "spmd/dialect/spmd/ValueSharding.h"
#include "spmd/dialect/stablehlo/Dialect.h"

namespace spmd {

/// What becomes of one dim.
struct DimChange {
  llvm::SmallVector<int64_t> sizes;   ///< Of the dims that stand for it then, one if it is cut.
  int32_t mesh;                       ///< Of the shardings.
  std::vector<DimSharding> shardings; ///< How those lie.
  std::optional<int64_t> start = {};  ///< The first element kept, if it is cut.

  /// Returns the place of dim `other` where dim `changed` is changed: of the first, if it is that.
  int64_t placeOf(int64_t other, int64_t changed) const {
    return other > changed ? other + static_cast<int64_t>(sizes.size()) - 1 : other;
  }
  /// Returns `dims` with all that stands for `changed`.
  llvm::SmallVector<int64_t> placesOf(llvm::ArrayRef<int64_t> dims, int64_t changed) const;
};

/// Where a dim of an op's result lies in an operand.
struct OperandDim {
  unsigned operand;
  int64_t dim;
};

/// Makes tensors with a dim changed, and ops of them. The values it is asked about have static
/// shapes.
class DimChanger {
public:
  DimChanger(ShardingCodec &codec, StrategyCache &strategies, const DimChange &change)
      : codec(codec), strategies(strategies), change(change) {}

  /// Returns how `value` lies with its dim `dim` changed, the others as now. Nothing if it has no
  /// sharding of its own, holds addends, or an axis would split two dims.
  std::optional<MeshSharding> layoutOf(mlir::Value value, int64_t dim) const;

  /// Returns in which operands of `op` dim `dim` of its result lies, if the changed result can be
  /// made of those changed, the others as they are. Nothing if it cannot.
  std::optional<llvm::SmallVector<OperandDim>> operandDims(mlir::Operation *op, int64_t dim) const;
  /// Returns the dim of the result in which dim `dim` of the operand of `use` lies, if nothing else
  /// but other operands of `op` without that dim are read. Nothing if it is not one.
  std::optional<int64_t> resultDim(mlir::OpOperand &use, int64_t dim) const;
  /// Returns the dim of the other operand that a product sums together with dim `dim` of the
  /// operand of `use`. Nothing if it is not summed.
  static std::optional<int64_t> summedWith(mlir::OpOperand &use, int64_t dim);

  /// Returns `value` with dim `dim` changed, by a slice or a reshape.
  mlir::Value apply(mlir::OpBuilder &builder, mlir::Value value, int64_t dim) const;
  /// Returns `value`, which has the elements of `whole` in their order, as `whole` with dim `dim`
  /// changed.
  mlir::Value reshaped(mlir::OpBuilder &builder, mlir::Value value, mlir::Value whole,
                       int64_t dim) const;
  /// Returns the result of `op` with dim `dim` changed, made of `operands`, of which those that
  /// have the dim are changed already.
  mlir::Value remake(mlir::OpBuilder &builder, mlir::Operation *op, int64_t dim,
                     mlir::ValueRange operands) const;
  /// Returns the sum of the product that has `use`, over the elements that are left of dim `dim` of
  /// its operand, both operands changed.
  mlir::Value remakeSum(mlir::OpBuilder &builder, mlir::OpOperand &use, int64_t dim,
                        mlir::Value changed, mlir::Value otherChanged) const;

private:
  mlir::RankedTensorType typeOf(mlir::Value value, int64_t dim) const;
  void setLayout(mlir::Operation *op, mlir::Value before, int64_t dim) const;
  /// Renumbers the dims of a product whose operand has dim `dim` changed, and the other one, if it
  /// is not negative, dim `otherDim`.
  void setDimensions(stablehlo::DotGeneralOp dot, unsigned operand, int64_t dim,
                     int64_t otherDim) const;

  ShardingCodec &codec;
  StrategyCache &strategies;
  const DimChange &change;
};

} // namespace spmd
