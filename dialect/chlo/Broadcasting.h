// How the operands of a broadcasting op come to one shape.
#pragma once

#include "mlir/IR/OpDefinition.h"
#include "llvm/ADT/SmallVector.h"

namespace spmd::chlo {

/// Returns the dim of the result at which each dim of operand `index` stands: by
/// `broadcast_dimensions` for the operand of smaller rank, else the last dims in order. `op`
/// verifies.
llvm::SmallVector<int64_t> resultDimsOf(mlir::Operation *op, unsigned index);

mlir::LogicalResult verifyBroadcasting(mlir::Operation *op);
mlir::LogicalResult verifySameElements(mlir::Operation *op);

/// The result's shape is that of the operands, broadcast: dims of size 1 are repeated.
template <typename Op> class Broadcasting : public mlir::OpTrait::TraitBase<Op, Broadcasting> {
public:
  static mlir::LogicalResult verifyTrait(mlir::Operation *op) { return verifyBroadcasting(op); }
};

/// Operands and result have one element type. Quantized types may differ in their parameters.
template <typename Op> class SameElements : public mlir::OpTrait::TraitBase<Op, SameElements> {
public:
  static mlir::LogicalResult verifyTrait(mlir::Operation *op) { return verifySameElements(op); }
};

} // namespace spmd::chlo
