// Slices and updates that start now and are done later.

#include "spmd/dialect/stablehlo/Dialect.h"
#include "spmd/passes/legalize/Legalize.h"

#include "mlir/IR/IRMapping.h"

namespace spmd::legalize {

/// Returns the one op that `start` runs, if nothing but ops that wait for it see its future, and it
/// is no collective; null otherwise.
static mlir::Operation *localMoveOf(stablehlo::AsyncStartOp start) {
  mlir::Operation *op = &start.getBody().front().front();
  bool isAwaited = llvm::all_of(start->getUsers(), llvm::IsaPred<stablehlo::AsyncDoneOp>);
  return isAwaited && !op->hasTrait<stablehlo::Collective>() ? op : nullptr;
}

void joinLocalMoves(mlir::ModuleOp module) {
  llvm::SmallVector<stablehlo::AsyncStartOp> starts;
  module.walk([&](stablehlo::AsyncStartOp start) {
    if (localMoveOf(start))
      starts.push_back(start);
  });
  for (stablehlo::AsyncStartOp start : starts) {
    mlir::Block &body = start.getBody().front();
    for (mlir::Operation *done : llvm::to_vector(start->getUsers())) {
      mlir::OpBuilder builder(done);
      mlir::IRMapping map;
      map.map(body.getArguments(), start->getOperands());
      // Where the result is seen, it can be annotated; in the body there is room for one op.
      builder.clone(*localMoveOf(start), map)->setLoc(done->getLoc());
      llvm::SmallVector<mlir::Value> values;
      for (mlir::Value returned : body.getTerminator()->getOperands())
        values.push_back(map.lookup(returned));
      // What is done may be of unknown sizes that the body knows, or the other way round.
      for (auto [value, result] : llvm::zip(values, done->getResults()))
        value.setType(result.getType());
      replaceOp(done, values);
    }
    start->erase();
  }
}

} // namespace spmd::legalize
