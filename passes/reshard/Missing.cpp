#include "spmd/passes/reshard/Missing.h"

#include "spmd/dialect/partitioning/Partitionable.h"
#include "spmd/dialect/spmd/DataFlow.h"

namespace spmd {

namespace {

class Filler {
public:
  Filler(ShardingCodec &codec, OnMissing onMissing) : codec(codec), onMissing(onMissing) {}

  void fill(mlir::func::FuncOp func) {
    std::optional<BoundaryAttributes> boundary; // Read and written once, if at all.
    fillArguments(func, boundary);
    mlir::Operation *manual = nullptr; // The outermost region that needs no shardings.
    walkDataFlow(func, [&](mlir::Operation *op) {
      if (manual && manual->isProperAncestor(op))
        return;
      auto flow = llvm::dyn_cast<DataFlow>(op);
      manual = flow && isAllManual(flow) ? op : nullptr;
      fillResults(op);
    });
    fillReturned(func, boundary);
    if (boundary && !failed)
      boundary->write();
  }

  bool hasFailed() const { return failed; }

private:
  static bool isMissing(mlir::Value value) {
    mlir::RankedTensorType type = tensorTypeOf(value);
    return type && type.getRank() > 0 && !shardingOf(value);
  }

  ValueSharding wholeOf(mlir::Type type) {
    mlir::RankedTensorType tensor = tensorTypeOf(type);
    int64_t rank = tensor ? tensor.getRank() : 0;
    return {codec.encode({codec.mainMesh(), Sharding::replicatedOf(rank)}),
            ShardingState::inferred};
  }

  void report(mlir::Value value) {
    bool isError = onMissing == OnMissing::error;
    (isError ? mlir::emitError(value.getLoc()) : mlir::emitWarning(value.getLoc()))
        << describeValue(value) << " has no sharding; "
        << (isError ? "annotate it or set on-missing=replicate"
                    : "every device holds it whole; annotate it to split it");
    failed |= isError;
  }

  void fillResults(mlir::Operation *op) {
    bool isAnyMissing = false;
    for (mlir::Value result : op->getResults())
      if (isMissing(result)) {
        report(result);
        isAnyMissing = true;
      }
    if (!isAnyMissing || failed)
      return;
    llvm::SmallVector<ValueSharding> shardings;
    for (mlir::Value result : op->getResults()) {
      ValueSharding known = shardingOf(result);
      shardings.push_back(known ? known : wholeOf(result.getType()));
    }
    setShardings(op, shardings);
  }

  void fillArguments(mlir::func::FuncOp func, std::optional<BoundaryAttributes> &boundary) {
    for (mlir::BlockArgument argument : func.getArguments()) {
      if (!isMissing(argument))
        continue;
      report(argument);
      if (!boundary)
        boundary.emplace(func);
      setSharding(boundary->ofArgument(argument.getArgNumber()), wholeOf(argument.getType()));
    }
  }

  /// Arguments that were filled just now say so in `boundary` alone.
  void fillReturned(mlir::func::FuncOp func, std::optional<BoundaryAttributes> &boundary) {
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
  }

  ShardingCodec &codec;
  OnMissing onMissing;
  bool failed = false;
};

} // namespace

mlir::LogicalResult fillMissing(mlir::ModuleOp module, ShardingCodec &codec, OnMissing onMissing) {
  Filler filler(codec, onMissing);
  for (auto func : module.getOps<mlir::func::FuncOp>())
    if (!func.isExternal())
      filler.fill(func);
  return mlir::failure(filler.hasFailed());
}

} // namespace spmd
