// What the families of models share: shapes, rules that come again, and the list of families.
#pragma once

#include "spmd/dialect/partitioning/Localizer.h"
#include "spmd/dialect/partitioning/Partitionable.h"

namespace spmd {

/// One function per file of this folder; each attaches its models to the ops of its family.
void attachElementwise(mlir::MLIRContext *context);
void attachChlo(mlir::MLIRContext *context);
void attachCreation(mlir::MLIRContext *context);
void attachShape(mlir::MLIRContext *context);
void attachReshape(mlir::MLIRContext *context);
void attachContraction(mlir::MLIRContext *context);
void attachReduction(mlir::MLIRContext *context);
void attachDynamicSlice(mlir::MLIRContext *context);
void attachScatter(mlir::MLIRContext *context);
void attachSelectAndScatter(mlir::MLIRContext *context);
void attachRandom(mlir::MLIRContext *context);
void attachReduceWindow(mlir::MLIRContext *context);
void attachSort(mlir::MLIRContext *context);
void attachIndexing(mlir::MLIRContext *context);
void attachCalls(mlir::MLIRContext *context);
void attachCollectives(mlir::MLIRContext *context);
void attachFft(mlir::MLIRContext *context);
void attachLinearAlgebra(mlir::MLIRContext *context);
void attachControlFlow(mlir::MLIRContext *context);
void attachSharding(mlir::MLIRContext *context);
void attachBuffers(mlir::MLIRContext *context);
void attachMoves(mlir::MLIRContext *context);

/// Returns the shape behind `value`; empty if it has none.
llvm::ArrayRef<int64_t> shapeOf(mlir::Value value);

/// Returns the number of elements of `value`, as a measure of work.
double numElements(mlir::Value value);

/// Starts a rule for `op` with every tensor's rank set and no factors.
RuleBuilder ruleFor(mlir::Operation *op);

/// A rule in which all operands and results of the result's shape have the same factors; operands
/// of rank 0 have none.
OpRule sameShapeRule(mlir::Operation *op);

/// Forbids to split what `op` computes on quantized numbers where a part would not be what the
/// whole is.
void keepQuantizedWhole(mlir::Operation *op, Strategies &strategies);

/// The kind by which shares of a tensor like `value` join, of which all but one are zero at each
/// place; nothing if its elements have none.
std::optional<ReductionKind> joiningKind(mlir::Value value);

/// The kind of a reducer that is one op on its two arguments, or any that do the same on i1;
/// nothing for any other body.
std::optional<ReductionKind> reductionOf(mlir::Region &body);

} // namespace spmd
