// What sizes the results of an op must have, by its operands and attributes.
//
// The verifiers know: they compute these sizes to compare them with the types that the program
// gives. `inferSizes` runs the verifier of an op and keeps what it compares with, so that no op
// says twice what shape its results have.
#pragma once

#include "mlir/IR/Operation.h"

namespace spmd::stablehlo {

/// The sizes of each result; empty where nothing is said of one, kDynamic where a size is not said.
using ResultSizes = llvm::SmallVector<llvm::SmallVector<int64_t>, 1>;

/// Returns the sizes that the verifier of `op`, an op of `stablehlo` or `chlo`, expects of its
/// results. Fails, after a diagnostic, where `op` does not verify. Regions are not looked at.
mlir::FailureOr<ResultSizes> inferSizes(mlir::Operation *op);

/// Returns `type` with `sizes` where its own are dynamic, without bounds once all are known.
mlir::RankedTensorType refined(mlir::RankedTensorType type, llvm::ArrayRef<int64_t> sizes);

} // namespace spmd::stablehlo
