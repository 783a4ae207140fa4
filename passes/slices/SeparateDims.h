// Dims that are merged where they could stay apart.
#pragma once

#include "spmd/passes/slices/MergedDims.h"

#include "mlir/IR/BuiltinOps.h"

namespace spmd {

/// Keeps dims that were swapped before they are merged apart, and those of which pins cut the major
/// one unevenly or another one at all (`cut`), up to the ops that cut the merged dim again or sum
/// over it, where less moves so and the ops between can do with the parts: products, transposes,
/// broadcasts, reductions, normalizations, and what is computed element by element. Ops with
/// discardable attributes stay, pinned values among them. One walk, linear.
void separateDims(mlir::ModuleOp module, const CutSizes &cut);

} // namespace spmd
