// Ops that address rows by value: dims that are taken whole, and batches, split freely.

#include "spmd/dialect/partitioning/Families.h"
#include "spmd/dialect/stablehlo/Dialect.h"

namespace spmd {

using namespace stablehlo;

namespace {

/// Gives each slice size the local size where its dim is split, since it is taken whole.
llvm::SmallVector<int64_t> localSliceSizes(llvm::ArrayRef<int64_t> sizes, mlir::Value operand,
                                           const Sharding &sharding) {
  llvm::SmallVector<int64_t> local(sizes);
  for (size_t d = 0; d < local.size(); ++d)
    if (!sharding.dims[d].axes.empty() && sizes[d] != 1)
      local[d] = shapeOf(operand)[d];
  return local;
}

struct DynamicSliceModel : Partitionable::ExternalModel<DynamicSliceModel, DynamicSliceOp> {
  Strategies getStrategies(mlir::Operation *op) const {
    auto slice = llvm::cast<DynamicSliceOp>(op);
    llvm::ArrayRef<int64_t> shape = shapeOf(slice.getOperand());
    RuleBuilder builder = ruleFor(op);
    for (size_t d = 0; d < shape.size(); ++d) {
      if (slice.getSliceSizes()[d] != shape[d])
        continue;
      int32_t factor = builder.factor(shape[d]);
      builder.operand(0, d, {factor}).result(0, d, {factor});
    }
    std::vector<Commuting> commuting(op->getNumOperands());
    commuting[0] = Commuting::movesElements();
    return {{builder.take(), {}, commuting}};
  }
  mlir::LogicalResult localize(mlir::Operation *op, Localizer &localizer) const {
    auto slice = llvm::cast<DynamicSliceOp>(op);
    localizer.setResultTypes();
    slice.setSliceSizes(shapeOf(slice.getResult()));
    return mlir::success();
  }
};

struct DynamicUpdateSliceModel
    : Partitionable::ExternalModel<DynamicUpdateSliceModel, DynamicUpdateSliceOp> {
  Strategies getStrategies(mlir::Operation *op) const {
    auto update = llvm::cast<DynamicUpdateSliceOp>(op);
    llvm::ArrayRef<int64_t> shape = shapeOf(update.getOperand());
    RuleBuilder builder = ruleFor(op);
    for (size_t d = 0; d < shape.size(); ++d) {
      if (shapeOf(update.getUpdate())[d] != shape[d])
        continue;
      int32_t factor = builder.factor(shape[d]);
      builder.operand(0, d, {factor}).operand(1, d, {factor}).result(0, d, {factor});
    }
    Commuting both;
    for (ReductionKind kind : allReductionKinds)
      both.pass(kind, Passing::jointly);
    std::vector<Commuting> commuting(op->getNumOperands());
    commuting[0] = commuting[1] = both;
    return {{builder.take(), {}, commuting}};
  }
};

/// The dims of `indices` but the index vector, in order: the batch dims of the result.
llvm::SmallVector<int64_t> indexDims(mlir::Value indices, int64_t indexVectorDim) {
  llvm::SmallVector<int64_t> dims;
  for (int64_t d = 0; d < static_cast<int64_t>(shapeOf(indices).size()); ++d)
    if (d != indexVectorDim)
      dims.push_back(d);
  return dims;
}

struct GatherModel : Partitionable::ExternalModel<GatherModel, GatherOp> {
  Strategies getStrategies(mlir::Operation *op) const {
    auto gather = llvm::cast<GatherOp>(op);
    GatherDimensionNumbersAttr dims = gather.getDimensionNumbers();
    llvm::ArrayRef<int64_t> operand = shapeOf(gather.getOperand()),
                            result = shapeOf(gather.getResult());
    RuleBuilder builder = ruleFor(op);
    auto isOffset = [&](int64_t d) { return llvm::is_contained(dims.getOffsetDims(), d); };

    // Batch dims of the result run over the indices; batching dims run over the operand with them.
    llvm::SmallVector<int64_t> batch =
        indexDims(gather.getStartIndices(), dims.getIndexVectorDim());
    auto nextBatch = batch.begin();
    for (int64_t d = 0; d < static_cast<int64_t>(result.size()); ++d) {
      if (isOffset(d))
        continue;
      int64_t indexDim = *nextBatch++;
      int32_t factor = builder.factor(result[d]);
      builder.operand(1, indexDim, {factor}).result(0, d, {factor});
      for (auto [operandDim, batchingDim] :
           llvm::zip(dims.getOperandBatchingDims(), dims.getStartIndicesBatchingDims()))
        if (batchingDim == indexDim)
          builder.operand(0, operandDim, {factor});
    }
    // Offset dims that are taken whole.
    auto nextOffset = dims.getOffsetDims().begin();
    for (int64_t d = 0; d < static_cast<int64_t>(operand.size()); ++d) {
      if (llvm::is_contained(dims.getCollapsedSliceDims(), d) ||
          llvm::is_contained(dims.getOperandBatchingDims(), d))
        continue;
      int64_t resultDim = *nextOffset++;
      if (gather.getSliceSizes()[d] != operand[d])
        continue;
      int32_t factor = builder.factor(operand[d]);
      builder.operand(0, d, {factor}).result(0, resultDim, {factor});
    }
    return {{builder.take(), {}, {Commuting::movesElements(), Commuting()}}};
  }
  mlir::LogicalResult localize(mlir::Operation *op, Localizer &localizer) const {
    auto gather = llvm::cast<GatherOp>(op);
    localizer.setResultTypes();
    gather.setSliceSizes(localSliceSizes(gather.getSliceSizes(), gather.getOperand(),
                                         *localizer.operand(0).sharding));
    return mlir::success();
  }
};

/// Dims before and after the one selected from, which the index replaces, and those that both run
/// over.
struct TorchIndexSelectModel
    : Partitionable::ExternalModel<TorchIndexSelectModel, TorchIndexSelectOp> {
  Strategies getStrategies(mlir::Operation *op) const {
    auto select = llvm::cast<TorchIndexSelectOp>(op);
    RuleBuilder builder = ruleFor(op);
    llvm::ArrayRef<int64_t> operand = shapeOf(select.getOperand()),
                            index = shapeOf(select.getIndex());
    size_t dim = select.getDim(), batch = select.getBatchDims(), resultDim = 0;
    for (size_t d = 0; d < operand.size(); ++d) {
      if (d == dim) {
        for (size_t i = batch; i < index.size(); ++i) {
          int32_t factor = builder.factor(index[i]);
          builder.operand(1, i, {factor}).result(0, resultDim++, {factor});
        }
        continue;
      }
      int32_t factor = builder.factor(operand[d]);
      builder.operand(0, d, {factor}).result(0, resultDim++, {factor});
      if (d < batch)
        builder.operand(1, d, {factor});
    }
    return {{builder.take(), {}, {Commuting::movesElements(), Commuting()}}};
  }
};

/// Window dims that are written whole, and batching dims. What indices run over stays whole: two
/// devices could write the same row.
struct ScatterModel : Partitionable::ExternalModel<ScatterModel, ScatterOp> {
  Strategies getStrategies(mlir::Operation *op) const {
    auto scatter = llvm::cast<ScatterOp>(op);
    ScatterDimensionNumbersAttr dims = scatter.getScatterDimensionNumbers();
    size_t numInputs = scatter.getInputs().size();
    llvm::ArrayRef<int64_t> input = shapeOf(scatter.getInputs().front());
    llvm::ArrayRef<int64_t> update = shapeOf(scatter.getUpdates().front());
    RuleBuilder builder = ruleFor(op);
    auto add = [&](int64_t inputDim, int64_t updateDim) {
      int32_t factor = builder.factor(input[inputDim]);
      for (size_t i = 0; i < numInputs; ++i)
        builder.operand(i, inputDim, {factor})
            .operand(numInputs + 1 + i, updateDim, {factor})
            .result(i, inputDim, {factor});
      return factor;
    };
    auto nextWindow = dims.getUpdateWindowDims().begin();
    for (int64_t d = 0; d < static_cast<int64_t>(input.size()); ++d) {
      if (llvm::is_contained(dims.getInsertedWindowDims(), d) ||
          llvm::is_contained(dims.getInputBatchingDims(), d))
        continue;
      int64_t updateDim = *nextWindow++;
      // An indexed window is skipped where it does not fit, and only whole shards know whether it
      // does.
      if (update[updateDim] == input[d] &&
          !llvm::is_contained(dims.getScatterDimsToOperandDims(), d))
        add(d, updateDim);
    }
    llvm::SmallVector<int64_t> batch =
        indexDims(scatter.getScatterIndices(), dims.getIndexVectorDim());
    auto nextBatch = batch.begin();
    for (int64_t d = 0; d < static_cast<int64_t>(update.size()); ++d) {
      if (llvm::is_contained(dims.getUpdateWindowDims(), d))
        continue;
      int64_t indexDim = *nextBatch++;
      for (auto [inputDim, batchingDim] :
           llvm::zip(dims.getInputBatchingDims(), dims.getScatterIndicesBatchingDims()))
        if (batchingDim == indexDim)
          builder.operand(numInputs, indexDim, {add(inputDim, d)});
    }
    return {{builder.take()}};
  }
};

} // namespace

void attachIndexing(mlir::MLIRContext *context) {
  DynamicSliceOp::attachInterface<DynamicSliceModel>(*context);
  DynamicUpdateSliceOp::attachInterface<DynamicUpdateSliceModel>(*context);
  GatherOp::attachInterface<GatherModel>(*context);
  ScatterOp::attachInterface<ScatterModel>(*context);
  TorchIndexSelectOp::attachInterface<TorchIndexSelectModel>(*context);
}

} // namespace spmd
