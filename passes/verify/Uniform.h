// Branches that only some devices of a group take.
#pragma once

#include "spmd/dialect/spmd/DataFlow.h"

#include "mlir/IR/BuiltinOps.h"

namespace spmd {

/// Reports each collective in a branch that some devices of a group take and others do not, as far
/// as that can be told before the program runs: where what decides is integer arithmetic on
/// `partition_id`. The devices that take it would wait for ever for the others. (All that cannot be
/// told here, the runtime reports.)
///
/// `branches` are the ops of the module with regions that are decided among. Looks at every device,
/// but only for branches that are decided so.
mlir::LogicalResult checkUniform(mlir::ModuleOp module, llvm::ArrayRef<DataFlow> branches,
                                 int64_t numDevices);

} // namespace spmd
