// Ops whose sizes are operands, and what they are once those are known.
#pragma once

#include "spmd/passes/refine/KnownInts.h"

#include "mlir/IR/Builders.h"

namespace spmd {

/// Returns the numbers of the operands of `op` that say sizes of its results, or where they lie: of
/// ops of StableHLO, and of the custom calls that frontends write for ops it has no dynamic form
/// of.
llvm::SmallVector<unsigned> sizeOperands(mlir::Operation *op);

/// Replaces `op`, all of whose size operands are known and whose other operands have static shapes,
/// by its static form, and erases it; null if it has none. Discardable attributes are kept. Fails,
/// after a diagnostic, where the sizes make no sense.
mlir::FailureOr<mlir::Operation *> replaceByStaticForm(mlir::Operation *op, const KnownInts &known);

/// Replaces a slice whose place is not known, but whose limits are its starts plus sizes that are,
/// by a dynamic slice; null if `op` is none.
mlir::FailureOr<mlir::Operation *> replaceByMovingSlice(mlir::Operation *op,
                                                        const KnownInts &known);

/// The same as `replaceByStaticForm` for custom calls.
mlir::FailureOr<mlir::Operation *> replaceByStaticCall(mlir::Operation *op, const KnownInts &known);
llvm::SmallVector<unsigned> sizeOperandsOfCall(mlir::Operation *op);

/// Gives each result of `op` the sizes that its operands and attributes lead to, where its type
/// leaves them open. Fails, after a diagnostic, where `op` does not verify.
mlir::LogicalResult inferResults(mlir::Operation *op);

/// Returns the type of result `result` of `op` with the sizes that operand `operand` holds. Fails,
/// after a diagnostic, where they do not fit.
mlir::FailureOr<mlir::RankedTensorType> typeBySizes(mlir::Operation *op, unsigned result,
                                                    unsigned operand, const KnownInts &known);

/// Returns whether `op` is a custom call @shape_assertion: a boolean, and sizes for its message.
bool isShapeAssertion(mlir::Operation *op);
/// Reports an assertion that does not hold; erases one that does. All its operands are known.
mlir::LogicalResult checkAssertion(mlir::Operation *op, const KnownInts &known);

} // namespace spmd
