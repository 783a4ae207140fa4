// Shapes and literals of HLO as types and attributes.
#pragma once

#include "spmd/ir/hlo/hlo.pb.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"

namespace spmd {

/// Appends the types of the leaves of `shape` to `types`: one for a tensor or token, those of its
/// elements for a tuple. Layouts say nothing of values and are dropped. Returns what is wrong, or
/// nothing: dynamic dims, sizes out of range, and element types without an MLIR type.
std::string leafTypes(const hlo::ShapeProto &shape, mlir::MLIRContext &context,
                      llvm::SmallVectorImpl<mlir::Type> &types);

/// Returns how many leaves `shape` has. It has been converted without error.
size_t countLeaves(const hlo::ShapeProto &shape);

/// Appends the values of the leaves of `literal`, of the shape `shape`. Returns what is wrong, or
/// nothing. Of a literal without elements, `{...}`, the value is left out (LeftOut.h).
std::string leafValues(const hlo::LiteralProto &literal, const hlo::ShapeProto &shape,
                       mlir::MLIRContext &context,
                       llvm::SmallVectorImpl<mlir::ElementsAttr> &values);

} // namespace spmd
