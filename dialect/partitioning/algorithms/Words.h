// Arithmetic on tensors of unsigned integers, op by op.
#pragma once

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"

namespace spmd {

/// Makes ops on tensors of one shape, of elements ui32 or ui64. Sums and products wrap.
struct WordBuilder {
  mlir::OpBuilder &builder;
  mlir::Location loc;

  mlir::RankedTensorType typeOf(mlir::Value value);
  /// Returns a tensor like `like` that holds `value` everywhere.
  mlir::Value constant(mlir::Value like, uint64_t value);
  mlir::Value add(mlir::Value a, mlir::Value b);
  mlir::Value add(mlir::Value a, uint64_t b) { return add(a, constant(a, b)); }
  mlir::Value multiply(mlir::Value a, uint64_t b);
  mlir::Value exclusiveOr(mlir::Value a, mlir::Value b);
  mlir::Value inclusiveOr(mlir::Value a, mlir::Value b);
  mlir::Value mask(mlir::Value a, uint64_t bits);
  mlir::Value shiftLeft(mlir::Value a, int bits);
  mlir::Value shiftRight(mlir::Value a, int bits);
  mlir::Value rotate(mlir::Value a, int bits);
  mlir::Value isBelow(mlir::Value a, mlir::Value b);
  mlir::Value isEqual(mlir::Value a, uint64_t b);
  /// Returns the numbers, or truth values, as unsigned integers of `width` bits; they must fit.
  mlir::Value toWidth(mlir::Value a, unsigned width);
  /// Splits words of 64 bits into their halves of 32, and back.
  std::pair<mlir::Value, mlir::Value> halves(mlir::Value word);
  mlir::Value join(mlir::Value low, mlir::Value high);
  /// Returns a scalar as a tensor of `shape`.
  mlir::Value spread(mlir::Value scalar, llvm::ArrayRef<int64_t> shape);
  mlir::Value reshape(mlir::Value value, llvm::ArrayRef<int64_t> shape);
};

} // namespace spmd
