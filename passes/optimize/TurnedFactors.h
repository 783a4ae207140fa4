// Products that read a transposed value as it lay before.
//
//     transpose(%a, [1, 0]); dot(%x, contracting 1 of it)  =>  dot(%x, contracting 0 of %a)
#pragma once

#include "spmd/dialect/stablehlo/Dialect.h"

namespace spmd {

/// Whether only products read `value`, and each could read what it is the transpose of by
/// `permutation` instead: the dims that the result keeps stand in the same order there.
bool canReadUnturned(mlir::Value value, llvm::ArrayRef<int64_t> permutation);

/// Lets the products that read `transpose` read its operand, and erases it, if all can.
void readUnturned(stablehlo::TransposeOp transpose);

} // namespace spmd
