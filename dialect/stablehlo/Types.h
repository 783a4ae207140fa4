// Element kinds, and what a type must be to stand somewhere in a StableHLO program.
#pragma once

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"

namespace spmd::stablehlo {

/// The classes of element types the specification distinguishes. A set of them is an `unsigned`.
enum ElementKind : unsigned {
  Pred = 1,
  Signed = 2,
  Unsigned = 4,
  Int = Signed | Unsigned,
  Float = 8,
  Complex = 16,
  Quantized = 32,
  Index = 64,
  PerAxis = 128, ///< quantized along a dim
  AnyElement = 127,
  AnyOrPerAxis = 255,
};

/// Returns the kind of element type `type`, 0 if it is not one of StableHLO's: `i1` is Pred, other
/// signless integers are Signed.
unsigned elementKind(mlir::Type type);

/// Returns whether `type` is a ranked tensor with an element type of one of the kinds in `kinds`.
bool isTensorOf(mlir::Type type, unsigned kinds);
/// The same for tensors of rank 0.
bool isScalarOf(mlir::Type type, unsigned kinds);
/// Returns whether `type` is tensor<ui32>.
bool isIdType(mlir::Type type);
/// Returns whether `type` is tensor<i32>.
bool isIndexType(mlir::Type type);
/// Returns whether `type` is a ranked tensor of rank 1 and integer or index type, as shapes are
/// given.
bool isShapeVector(mlir::Type type);
/// Returns whether a custom call may take or give a value of `type`.
bool isCallValue(mlir::Type type);
/// Returns whether a loop, a branch or a call may carry a value of `type`.
bool isCarriedValue(mlir::Type type);

/// Returns the bits of one element: 32 for f32, 64 for complex<f32>, the storage width if
/// quantized.
unsigned elementBits(mlir::Type type);

/// Returns whether `attr` is a 2-D tensor constant of i64.
bool isI64Table(mlir::Attribute attr);
/// Returns whether `attr` is an I64Table or a #stablehlo.replica_group_mesh_axes.
bool isReplicaGroups(mlir::Attribute attr);
/// Returns whether `attr` is a 1-D tensor constant of index: dims, minor to major.
bool isLayout(mlir::Attribute attr);

} // namespace spmd::stablehlo
