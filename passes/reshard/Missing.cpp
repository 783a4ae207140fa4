#include "spmd/passes/reshard/Missing.h"

#include "spmd/dialect/partitioning/Partitionable.h"
#include "spmd/dialect/spmd/DataFlow.h"

namespace spmd {

bool MissingShardings::isMissing(mlir::Value value, ValueSharding sharding) {
  mlir::RankedTensorType type = sharding ? nullptr : tensorTypeOf(value);
  return type && type.getRank() > 0;
}

ValueSharding MissingShardings::wholeOf(mlir::Type type) {
  mlir::RankedTensorType tensor = tensorTypeOf(type);
  int64_t rank = tensor ? tensor.getRank() : 0;
  return {codec.encode({codec.mainMesh(), Sharding::replicatedOf(rank)}), ShardingState::inferred};
}

void MissingShardings::report(mlir::Value value) {
  bool isError = onMissing == OnMissing::error;
  (isError ? mlir::emitError(value.getLoc()) : mlir::emitWarning(value.getLoc()))
      << describeValue(value) << " has no sharding; "
      << (isError ? "annotate it or set on-missing=replicate"
                  : "every device holds it whole; annotate it to split it");
  failed |= isError;
}

void MissingShardings::fillResults(mlir::Operation *op) {
  llvm::SmallVector<ValueSharding> shardings;
  for (mlir::Value result : op->getResults()) {
    ValueSharding known = shardingOf(result);
    if (isMissing(result, known))
      report(result);
    shardings.push_back(known ? known : wholeOf(result.getType()));
  }
  if (!failed)
    setShardings(op, shardings);
}

void MissingShardings::begin(mlir::func::FuncOp func) {
  boundary.reset();
  for (mlir::BlockArgument argument : func.getArguments()) {
    if (!isMissing(argument, shardingOf(argument)))
      continue;
    report(argument);
    if (!boundary)
      boundary.emplace(func);
    setSharding(boundary->ofArgument(argument.getArgNumber()), wholeOf(argument.getType()));
  }
}

/// Arguments that were filled just now say so in `boundary` alone.
void MissingShardings::end(mlir::func::FuncOp func) {
  for (mlir::OpOperand &returned : func.getBody().front().getTerminator()->getOpOperands()) {
    unsigned i = returned.getOperandNumber();
    mlir::RankedTensorType type = tensorTypeOf(returned.get());
    if (!type || type.getRank() == 0 || shardingOfResult(func, i))
      continue;
    if (!boundary)
      boundary.emplace(func);
    ValueSharding known = shardingOf(returned.get());
    setSharding(boundary->ofResult(i),
                {known ? known.attr : wholeOf(type).attr, ShardingState::inferred});
  }
  if (boundary && !failed)
    boundary->write();
}

mlir::LogicalResult fillMissing(mlir::ModuleOp module, ShardingCodec &codec, OnMissing onMissing) {
  MissingShardings missing(codec, onMissing);
  for (auto func : module.getOps<mlir::func::FuncOp>()) {
    if (!isRun(func))
      continue;
    missing.begin(func);
    mlir::Operation *manual = nullptr; // The outermost region that needs no shardings.
    walkDataFlow(func, [&](mlir::Operation *op) {
      if (manual && manual->isProperAncestor(op))
        return;
      auto flow = llvm::dyn_cast<DataFlow>(op);
      manual = flow && isAllManual(flow) ? op : nullptr;
      if (llvm::any_of(op->getResults(), [](mlir::Value result) {
            return MissingShardings::isMissing(result, shardingOf(result));
          }))
        missing.fillResults(op);
    });
    missing.end(func);
  }
  return mlir::failure(missing.hasFailed());
}

} // namespace spmd
