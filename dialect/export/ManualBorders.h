// Calls that stand for what `sdy` says with ops.
#pragma once

#include "spmd/dialect/export/ShardingTexts.h"

#include "mlir/IR/Builders.h"

namespace spmd::export_shardings {

/// Makes calls of @Sharding, and knows the shardings that values were given.
struct ShardingCalls {
  ShardingCalls(mlir::ModuleOp module, ShardingForm form) : texts(module, form), symbols(module) {}

  /// Returns the result, of type `type`, of a call of `target` on `operand` that says `text`.
  static mlir::Value make(mlir::OpBuilder &builder, mlir::Location location, llvm::StringRef target,
                          mlir::Value operand, mlir::Type type, mlir::StringAttr text,
                          llvm::StringRef config);
  /// Returns `value` with the sharding `sharding`; null after a diagnostic.
  mlir::Value constrain(mlir::OpBuilder &builder, mlir::Location location, mlir::Value value,
                        sdy::ShardingAttr sharding, llvm::ArrayRef<mlir::StringAttr> manual);

  ShardingTexts texts;
  mlir::SymbolTable symbols;
  llvm::DenseMap<mlir::Value, sdy::ShardingAttr> placed;
};

/// Writes a call of the body of `op`, which becomes a function, between pairs of
/// @SPMDFullToShardShape and @SPMDShardToFullShape: who reads this finds all ops of the body again,
/// those that use no local value, too, and those of other bodies apart. A body that is a call stays
/// where it is. `manual` are the axes that are manual around the op.
mlir::LogicalResult writeManualBorders(ShardingCalls &calls, sdy::ManualComputationOp op,
                                       const ManualAxes &manual);

/// Returns a new private function, called `name` or something like it, with the body of `op`.
mlir::func::FuncOp outlineBody(ShardingCalls &calls, sdy::ManualComputationOp op,
                               llvm::StringRef name);

//===- Shardy's attributes --------------------------------------------------===//

/// Writes the sharding of a result of `function` as a call where it is returned.
void writeShardyResult(ShardingCalls &calls, mlir::func::FuncOp function, unsigned result,
                       sdy::ShardingAttr sharding);
/// Adds the sharding of the only result of `op`, or those of all.
void addShardySharding(mlir::Operation *op, sdy::ShardingAttr sharding);
void addShardyShardings(mlir::Operation *op, sdy::ShardingPerValueAttr shardings);
/// Writes a call that puts the operand of `group` into its group.
void writeShardyGroup(mlir::OpBuilder &builder, sdy::ShardingGroupOp group);
/// Returns the result of a call that lets through what `barrier` does.
mlir::Value writeShardyBarrier(mlir::OpBuilder &builder, sdy::PropagationBarrierOp barrier);
/// Writes `op` as a call of its body, a function, between two calls that change shapes.
mlir::LogicalResult writeShardyComputation(ShardingCalls &calls, sdy::ManualComputationOp op);

} // namespace spmd::export_shardings
