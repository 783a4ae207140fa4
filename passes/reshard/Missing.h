// Values that nobody gave a sharding.
#pragma once

#include "spmd/dialect/spmd/ValueSharding.h"
#include "spmd/passes/Options.h"

namespace spmd {

/// Reports every argument and every op's result of rank 1 or more that has no sharding, in program
/// order: an error each, then failure (OnMissing::error), else a warning each, and the value gets
/// an inferred sharding that holds it whole. A function's result without one lies as the value that
/// is returned.
///
/// Requires a mesh with axes. What is inside regions where all axes are manual needs no sharding.
mlir::LogicalResult fillMissing(mlir::ModuleOp module, ShardingCodec &codec, OnMissing onMissing);

} // namespace spmd
