// Types and constants as shapes and literals of HLO.
#pragma once

#include "spmd/ir/hlo/hlo.pb.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/ValueRange.h"

namespace spmd {

/// Sets `shape` to that of a value of type `type`, with row-major layouts. Returns what is wrong,
/// or nothing: dynamic dims, and types that HLO does not have.
std::string shapeOf(mlir::Type type, hlo::ShapeProto &shape);

/// Sets `shape` to that of values of these types together: a tuple unless there is one alone.
std::string shapeOf(mlir::TypeRange types, hlo::ShapeProto &shape);

/// Makes `shape` a tuple of no elements.
void makeTuple(hlo::ShapeProto &shape);

/// Sets `literal` to `value`, of the shape `shape`. Returns what is wrong, or nothing.
std::string literalOf(mlir::ElementsAttr value, const hlo::ShapeProto &shape,
                      hlo::LiteralProto &literal);

} // namespace spmd
