// Branches and turns of loops that only some devices of a group take.
#pragma once

#include "spmd/dialect/spmd/DataFlow.h"

#include "mlir/IR/BuiltinOps.h"

namespace spmd {

/// Reports each collective in a branch that some devices of a group take and others do not, or in a
/// loop of which some take more turns, as far as that can be told before the program runs: where
/// what decides is integer arithmetic on `partition_id`, in the same function or in those that call
/// it. The devices that get there would wait for ever for the others. (All that cannot be told
/// here, the runtime reports.)
///
/// `flows` are the loops of the module, and the ops with regions that are decided among. The groups
/// of all collectives name devices below `numDevices`. Looks at every device, but only for branches
/// and loops that are decided so.
mlir::LogicalResult checkUniform(mlir::ModuleOp module, llvm::ArrayRef<DataFlow> flows,
                                 int64_t numDevices);

} // namespace spmd
