#include "spmd/dialect/sdy/InlineComputations.h"

#include "spmd/dialect/sdy/Dialect.h"

namespace spmd::sdy {

/// Returns `value` constrained to entry `index` of `shardings`; itself if there is no such entry.
static mlir::Value constrain(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value value,
                             std::optional<ShardingPerValueAttr> shardings, size_t index) {
  if (!shardings || index >= shardings->size() ||
      !llvm::isa<mlir::RankedTensorType>(value.getType()))
    return value;
  return ShardingConstraintOp::create(builder, loc, value.getType(), value, (*shardings)[index]);
}

void inlineNamedComputations(mlir::ModuleOp module,
                             llvm::function_ref<void(mlir::Value was, mlir::Value is)> note) {
  auto replace = [&](mlir::Value was, mlir::Value is) {
    if (note)
      note(was, is);
    was.replaceAllUsesWith(is);
  };
  std::vector<NamedComputationOp> all; // Inner ones first.
  module.walk([&](NamedComputationOp op) { all.push_back(op); });
  for (NamedComputationOp op : all) {
    mlir::OpBuilder builder(op);
    mlir::Block &body = op.getBody().front();
    for (mlir::BlockArgument argument : body.getArguments())
      replace(argument, constrain(builder, op.getLoc(), op->getOperand(argument.getArgNumber()),
                                  op.getInShardings(), argument.getArgNumber()));
    mlir::Operation *terminator = body.getTerminator();
    llvm::SmallVector<mlir::Value> returned(terminator->getOperands());
    terminator->erase();
    op->getBlock()->getOperations().splice(op->getIterator(), body.getOperations());
    for (auto [i, result] : llvm::enumerate(op->getResults()))
      replace(result, constrain(builder, op.getLoc(), returned[i], op.getOutShardings(), i));
    op.erase();
  }
}

} // namespace spmd::sdy
