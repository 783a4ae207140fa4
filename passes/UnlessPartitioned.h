// The pass `spmd-unless-partitioned`, made of passes instead of their text.
#pragma once

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/PassManager.h"

#include <memory>

namespace spmd {

/// Returns a pass that runs `passes` on a module unless that is partitioned already.
std::unique_ptr<mlir::Pass> createUnlessPartitionedPass(
    mlir::OpPassManager passes = mlir::OpPassManager(mlir::ModuleOp::getOperationName()));

} // namespace spmd
