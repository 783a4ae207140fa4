// Gathers: dims that are taken whole, and batches, split freely; of dims that are indexed, each
// device gives the rows it holds.

#include "spmd/dialect/partitioning/Families.h"
#include "spmd/dialect/partitioning/algorithms/Indexed.h"
#include "spmd/dialect/partitioning/algorithms/Rows.h"
#include "spmd/dialect/partitioning/algorithms/Shards.h"
#include "spmd/dialect/stablehlo/Dialect.h"

namespace spmd {

using namespace stablehlo;

namespace {

/// Batch dims of the result run over the indices, offset dims over what is taken whole. Dims of
/// which an index takes some rows may be split: who holds a row gives it, and the shares add up.
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
    std::vector<PaddingNeed> padding;
    if (std::optional<ReductionKind> kind = joiningKind(gather.getOperand()))
      for (int64_t d : dims.getStartIndexMap()) {
        int64_t numRows = gather.getSliceSizes()[d];
        if (numRows < 1 || numRows >= operand[d])
          continue;
        int32_t factor = builder.factor({operand[d], FactorKind::index, *kind});
        builder.operand(0, d, {factor});
        if (numRows > 1)
          padding.push_back({0, factor, FillValue::zero});
      }
    return {{builder.take(), padding, {Commuting::movesElements(), Commuting()}}};
  }

  mlir::LogicalResult localize(mlir::Operation *op, Localizer &localizer) const {
    auto gather = llvm::cast<GatherOp>(op);
    localizer.setResultTypes();
    gather.setSliceSizes(localSliceSizes(localizer, gather));
    if (llvm::any_of(gather.getDimensionNumbers().getStartIndexMap(),
                     [&](int64_t d) { return isSplitByIndex(localizer, d); }))
      giveOwnRows(localizer, gather);
    return mlir::success();
  }

private:
  /// Returns the local size of each dim that is split and taken whole, and the slice size of
  /// others.
  static llvm::SmallVector<int64_t> localSliceSizes(const Localizer &localizer, GatherOp gather) {
    llvm::SmallVector<int64_t> sizes(gather.getSliceSizes());
    for (int64_t d = 0; d < static_cast<int64_t>(sizes.size()); ++d)
      if (sizes[d] == localizer.operand(0).type.getDimSize(d))
        sizes[d] = std::min(sizes[d], shapeOf(gather.getOperand())[d]);
    return sizes;
  }

  static bool isSplitByIndex(const Localizer &localizer, int64_t d) {
    const OpRule &rule = localizer.strategy->rule;
    const DimFactors &factors = rule.operands[0][d];
    return !factors.empty() && rule.factors[factors.front()].kind == FactorKind::index &&
           !localizer.axesOf(factors.front()).empty();
  }

  static bool isSplitWindow(const Localizer &localizer, GatherOp gather, int64_t d) {
    return gather.getSliceSizes()[d] > 1 && isSplitByIndex(localizer, d);
  }

  /// Returns the bounds of the component of dim `d` of indices, and what it is counted from: the
  /// shard's first row, or, of several rows, as many zeros in front of it.
  static IndexComponent componentOf(Localizer &localizer, GatherOp gather, int64_t d) {
    const Localizer::Tensor &operand = localizer.operand(0);
    int64_t size = operand.type.getDimSize(d), numRows = gather.getSliceSizes()[d];
    if (!isSplitByIndex(localizer, d)) // Split dims are taken whole.
      return {0, operand.sharding->dims[d].axes.empty() ? size - numRows : 0, {}, {}};
    mlir::Value first = localizer.positions.firstRow(localizer.mesh, operand.sharding->dims[d],
                                                     shapeOf(gather.getOperand())[d]);
    if (numRows > 1)
      first = localizer.positions.subtract(first, localizer.positions.constant(numRows));
    return {0, size - numRows, first, {}};
  }

  /// Indices are counted from the shard; what they take from elsewhere becomes zero. Of several
  /// rows some may be elsewhere: zeros around the shard stand for these.
  static void giveOwnRows(Localizer &localizer, GatherOp gather) {
    mlir::Location loc = gather.getLoc();
    llvm::ArrayRef<int64_t> indexMap = gather.getDimensionNumbers().getStartIndexMap();
    int64_t vectorDim = gather.getDimensionNumbers().getIndexVectorDim();
    llvm::SmallVector<IndexComponent> components;
    for (int64_t d : indexMap)
      components.push_back(componentOf(localizer, gather, d));
    llvm::SmallVector<mlir::Value> local =
        localComponents(localizer, gather.getStartIndices(), vectorDim, components);
    RowBuilder rows{localizer.builder, loc, localizer.positions, vectorDim};
    gather.getStartIndicesMutable().assign(rows.join(local));
    gather.setIndicesAreSorted(false);
    mlir::Value mask;
    for (auto [d, own] : llvm::zip(indexMap, local)) {
      int64_t numRows = gather.getSliceSizes()[d];
      if (isSplitWindow(localizer, gather, d))
        gather.getOperandMutable().assign(
            RowBuilder{localizer.builder, loc, localizer.positions, d}.pad(
                gather.getOperand(), numRows, numRows, 0, {}));
      else if (isSplitByIndex(localizer, d))
        mask = both(localizer, mask, isHeld(localizer, own, shapeOf(gather.getOperand())[d]));
    }
    if (!mask)
      return;
    mlir::Value taken = localizer.builder.clone(*gather)->getResult(0);
    mlir::Value zero =
        fillConstant(localizer.builder, loc, llvm::cast<mlir::RankedTensorType>(taken.getType()),
                     FillValue::zero);
    localizer.replaceWith(rows.select(spread(localizer, gather, mask), taken, zero));
  }

  static mlir::Value both(Localizer &localizer, mlir::Value a, mlir::Value b) {
    return a ? AndOp::create(localizer.builder, localizer.op->getLoc(), a.getType(), a, b)
                   ->getResult(0)
             : b;
  }

  /// Returns where an index is within the shard's `numRows` rows.
  static mlir::Value isHeld(Localizer &localizer, mlir::Value index, int64_t numRows) {
    mlir::OpBuilder &builder = localizer.builder;
    mlir::Location loc = localizer.op->getLoc();
    auto type = llvm::cast<mlir::RankedTensorType>(index.getType());
    auto compare = [&](int64_t limit, ComparisonDirection direction) -> mlir::Value {
      mlir::Value limits = BroadcastInDimOp::create(
          builder, loc, type, localizer.positions.constant(limit), llvm::ArrayRef<int64_t>{});
      return CompareOp::create(
          builder, loc, type.clone(builder.getI1Type()), index, limits, direction,
          ComparisonTypeAttr::get(builder.getContext(), ComparisonType::SIGNED));
    };
    return both(localizer, compare(0, ComparisonDirection::GE),
                compare(numRows, ComparisonDirection::LT));
  }

  /// Returns `mask`, one element an index vector, over the offset dims of the result.
  static mlir::Value spread(Localizer &localizer, GatherOp gather, mlir::Value mask) {
    GatherDimensionNumbersAttr dims = gather.getDimensionNumbers();
    llvm::ArrayRef<int64_t> result = shapeOf(gather.getResult());
    llvm::SmallVector<int64_t> batchShape, batchDims;
    for (int64_t d = 0; d < static_cast<int64_t>(result.size()); ++d)
      if (!llvm::is_contained(dims.getOffsetDims(), d)) {
        batchDims.push_back(d);
        batchShape.push_back(result[d]);
      }
    mlir::RankedTensorType type =
        llvm::cast<mlir::RankedTensorType>(mask.getType()).clone(batchShape);
    mlir::Location loc = gather.getLoc();
    if (type != mask.getType())
      mask = ReshapeOp::create(localizer.builder, loc, type, mask);
    return BroadcastInDimOp::create(localizer.builder, loc, type.clone(result), mask, batchDims);
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

} // namespace

void attachIndexing(mlir::MLIRContext *context) {
  GatherOp::attachInterface<GatherModel>(*context);
  TorchIndexSelectOp::attachInterface<TorchIndexSelectModel>(*context);
}

} // namespace spmd
