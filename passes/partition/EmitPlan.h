// Turns the steps of a reshard plan into ops.
#pragma once

#include "spmd/dialect/partitioning/Positions.h"
#include "spmd/dialect/partitioning/algorithms/CollectiveBuilder.h"
#include "spmd/ir/reshard/Reshard.h"

namespace spmd {

/// Where the ops of a plan go, and what they need.
struct PlanEmitter {
  mlir::OpBuilder &builder;
  mlir::Location loc;
  Positions &positions;
  CollectiveBuilder &collectives;
  /// The attributes that name the meshes of the plan's two sides.
  mlir::Attribute fromMesh, toMesh;

  /// Emits the steps of `plan`, one op or a few each, and returns the value that comes out.
  mlir::Value emit(const Plan &plan, mlir::Value input);

private:
  mlir::Value emitSteps(const Plan &plan, mlir::Value input);
  mlir::Value emitStep(const Plan &plan, const Step &step, mlir::Value operand, mlir::Value into);
  mlir::Value emitMask(const Plan &plan, const Step &step, mlir::Value operand);
  mlir::Value emitUpdate(const Plan &plan, const Step &step, mlir::Value operand, mlir::Value into);
  mlir::Value emitIndex(const Plan &plan, const Index &index);
  llvm::SmallVector<mlir::Value> offsetsAt(const Plan &plan, const Step &step, size_t rank);
};

} // namespace spmd
