// What several families of ops have in common: shapes and types that must agree.
#pragma once

#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/SymbolTable.h"

namespace spmd::stablehlo {

mlir::LogicalResult verifySameShape(mlir::Operation *op);
mlir::LogicalResult verifySameType(mlir::Operation *op);
mlir::LogicalResult verifyMeshSymbol(mlir::Operation *op, mlir::SymbolTableCollection &symbols);

/// All operands and results have compatible shapes: static dims are equal.
template <typename Op> class SameShape : public mlir::OpTrait::TraitBase<Op, SameShape> {
public:
  static mlir::LogicalResult verifyTrait(mlir::Operation *op) { return verifySameShape(op); }
};

/// SameShape, and all element types are equal. Quantized types may differ in their parameters, as
/// each op rules.
template <typename Op> class SameType : public mlir::OpTrait::TraitBase<Op, SameType> {
public:
  static mlir::LogicalResult verifyTrait(mlir::Operation *op) { return verifySameType(op); }
};

/// Communicates between devices: all of a group must reach it. Two equal ones may be merged, and
/// one nobody uses may go, but none may move to where only a part of the devices runs.
template <typename Op> class Collective : public mlir::OpTrait::TraitBase<Op, Collective> {};

} // namespace spmd::stablehlo
