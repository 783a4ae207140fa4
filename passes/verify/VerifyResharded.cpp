// The pass `spmd-verify-resharded`: each op's operands and results fit one split of its rule.

#include "spmd/dialect/partitioning/Partitionable.h"
#include "spmd/dialect/spmd/DataFlow.h"
#include "spmd/ir/rules/SplitCache.h"
#include "spmd/passes/Passes.h"
#include "spmd/passes/partition/Situations.h"

#include "mlir/Interfaces/CallInterfaces.h"

namespace spmd {

#define GEN_PASS_DEF_VERIFYRESHARDEDPASS
#include "spmd/passes/Passes.h.inc"

namespace {

class Checker {
public:
  explicit Checker(mlir::ModuleOp module) : module(module), codec(module), layouts(codec) {}

  mlir::LogicalResult run() {
    for (auto func : module.getOps<mlir::func::FuncOp>())
      if (!func.isExternal())
        walkDataFlow(func, [&](mlir::Operation *op) { check(op); });
    return mlir::failure(failed);
  }

private:
  void check(mlir::Operation *op) {
    if (llvm::isa<sdy::ShardingConstraintOp>(op)) {
      op->emitOpError("is still there after resharding");
      failed = true;
    }
    if (llvm::isa<sdy::ReshardOp, mlir::CallOpInterface>(op))
      return;
    const Strategies *known = strategies.lookup(op);
    if (!known || known->front().rule.operands.size() != op->getNumOperands())
      return;
    around.clear();
    for (mlir::Value operand : op->getOperands())
      around.push_back(layouts.tensorOf(operand).sharding);
    for (mlir::Value result : op->getResults())
      around.push_back(layouts.tensorOf(result).sharding);
    if (splits.lookup(*known, around))
      return;
    failed = true;
    mlir::InFlightDiagnostic error =
        op->emitOpError("has operands and results that no split of its rule has so");
    for (mlir::OpOperand &operand : op->getOpOperands())
      if (ValueSharding sharding = shardingOf(operand.get()))
        error.attachNote(operand.get().getLoc()) << "operand " << operand.getOperandNumber()
                                                 << " lies as " << sharding.attr.getSpec().str();
    for (mlir::OpResult result : op->getResults())
      if (ValueSharding sharding = shardingOf(result))
        error.attachNote(op->getLoc()) << "result " << result.getResultNumber() << " lies as "
                                       << sharding.attr.getSpec().str();
  }

  mlir::ModuleOp module;
  ShardingCodec codec;
  ValueLayouts layouts;
  StrategyCache strategies;
  SplitCache splits;
  std::vector<const Sharding *> around; ///< The op at hand.
  bool failed = false;
};

struct VerifyReshardedPass : impl::VerifyReshardedPassBase<VerifyReshardedPass> {
  void runOnOperation() override {
    if (mlir::failed(Checker(getOperation()).run()))
      signalPassFailure();
  }
};

} // namespace
} // namespace spmd
