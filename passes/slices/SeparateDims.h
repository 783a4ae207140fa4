// Dims that are merged where they could stay apart.
#pragma once

#include "spmd/dialect/stablehlo/Dialect.h"

#include "mlir/IR/BuiltinOps.h"

namespace spmd {

/// Whether `reshape` merges dims that a transpose right before it has swapped.
bool mergesSwapped(stablehlo::ReshapeOp reshape);

/// Keeps what such reshapes merge apart, where all ops between one and a reshape that cuts the
/// merged dim again, a product that sums over it or a reduction of it can do without: products,
/// transposes, broadcasts, reductions, and what is computed element by element with values of the
/// same form, constants, and values that are repeated along the merged dim. Ops with discardable
/// attributes stay, pinned values among them. One walk, linear.
void separateDims(mlir::ModuleOp module);

} // namespace spmd
