// Dims that are merged where they could stay apart.
#pragma once

#include "mlir/IR/BuiltinOps.h"

#include <cstdint>
#include <set>

namespace spmd {

/// Keeps dims that were swapped before they are merged apart, and those of which pins cut the major
/// one unevenly (`unevenSizes`), up to the ops that cut the merged dim
/// again or sum over it, where less moves so and the ops between can do with the parts: products,
/// transposes, broadcasts, reductions, and what is computed element by element with values of the
/// same form, constants, and values that are repeated along the merged dim. Ops with discardable
/// attributes stay, pinned values among them. One walk, linear.
void separateDims(mlir::ModuleOp module, const std::set<int64_t> &unevenSizes);

} // namespace spmd
