// The `stablehlo` dialect: include this to use its types, attributes and ops.
//
// Our own implementation of the public StableHLO specification, with the same text. Ops are
// declared by family in the `.td` files beside this one.
#pragma once

#include "spmd/dialect/stablehlo/Traits.h"
#include "spmd/dialect/stablehlo/Types.h"

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/IR/TensorEncoding.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "spmd/dialect/stablehlo/Dialect.h.inc"
#include "spmd/dialect/stablehlo/Enums.h.inc"

#define GET_TYPEDEF_CLASSES
#include "spmd/dialect/stablehlo/Types.h.inc"

#define GET_ATTRDEF_CLASSES
#include "spmd/dialect/stablehlo/Attributes.h.inc"

namespace spmd::stablehlo {

/// What an op without `result_accuracy` asks for: the mode DEFAULT, no tolerance.
ResultAccuracyAttr defaultResultAccuracy(mlir::MLIRContext *context);

/// Returns whether some hardware is known to compute dots like `algorithm`.
bool isKnownAlgorithm(DotAlgorithmAttr algorithm);

} // namespace spmd::stablehlo

#define GET_OP_CLASSES
#include "spmd/dialect/stablehlo/Ops.h.inc"
