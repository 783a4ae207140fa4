// Ops that collect tensors element by element as reductions do over devices.
#pragma once

#include "spmd/ir/sharding/Sharding.h"

#include "mlir/IR/Operation.h"

#include <optional>

namespace spmd {

/// Returns the kind of reduction that collects single elements as `op` does, if it has two
/// operands.
std::optional<ReductionKind> collectedKind(mlir::Operation *op);

/// Returns the all-reduce or reduce-scatter of one tensor that makes the operand `use`, for its
/// owner alone, in the same block, in the type of that tensor's elements, and by what its owner
/// collects by; null if there is none.
mlir::Operation *reductionFor(mlir::OpOperand &use);

/// As `reductionFor`, where the owner collects by `kind`.
mlir::Operation *reductionFor(mlir::OpOperand &use, std::optional<ReductionKind> kind);

/// Returns the all-reduce of one tensor, for this alone and in the same block, that makes the rows
/// which an op writes into the tensor that is `use`; null if there is none.
mlir::Operation *reductionWrittenInto(mlir::OpOperand &use);

/// Returns the kind of an all-reduce or reduce-scatter by one of the usual bodies.
std::optional<ReductionKind> kindOf(mlir::Operation *reduction);

/// Says what the numbers in the groups of a collective mean, which depends on its channel, and
/// whether ids are flat.
int64_t numberingOf(mlir::Operation *collective);

/// Returns what two collectives have in common that can be one: all but the numbers of their
/// channels.
mlir::Attribute attributesOf(mlir::Operation *collective);

} // namespace spmd
