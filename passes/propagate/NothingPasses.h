// Why an op takes no part in propagation.
#pragma once

#include "mlir/IR/Operation.h"

namespace spmd {

/// Returns why nothing passes through `op`, which has no rule: "has no sharding rule, so nothing
/// passes through it"; of what an earlier pass would have replaced also which to run.
std::string whyNothingPasses(mlir::Operation *op);

} // namespace spmd
