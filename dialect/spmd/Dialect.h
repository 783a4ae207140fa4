// The `spmd` dialect: mutable buffers and views of them, and the attributes that the passes leave.
#pragma once

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

namespace spmd {

/// Beside `sdy.sharding`, which nobody wrote then. Unit: all results of the op; an array of
/// integers: these results. On an argument or result: unit.
inline constexpr llvm::StringLiteral inferredAttrName = "spmd.inferred";
/// On an op or argument: some value of it has no sharding.
inline constexpr llvm::StringLiteral missingAttrName = "spmd.missing_sharding";
/// On an op, shardings of its results that nobody asked for, from an earlier pass or a tracer:
/// where propagation leaves a dim open, it takes what they say.
inline constexpr llvm::StringLiteral hintAttrName = "spmd.sharding_hint";
/// On a function: the axes that are manual where it is called, as an array of names.
inline constexpr llvm::StringLiteral manualAxesAttrName = "spmd.manual_axes";
/// On an argument or result of a public function: its type before partitioning.
inline constexpr llvm::StringLiteral globalTypeAttrName = "spmd.global_type";

} // namespace spmd

#include "spmd/dialect/spmd/Dialect.h.inc"

#define GET_TYPEDEF_CLASSES
#include "spmd/dialect/spmd/Types.h.inc"

#define GET_OP_CLASSES
#include "spmd/dialect/spmd/Ops.h.inc"
