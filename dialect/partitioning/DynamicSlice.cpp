// Slices at places given by operands. A slice of a dim that is split is what each device holds of
// it, zero elsewhere, summed up; an update is written by those who hold the rows.

#include "spmd/dialect/partitioning/Families.h"
#include "spmd/dialect/partitioning/algorithms/Indexed.h"
#include "spmd/dialect/partitioning/algorithms/Rows.h"
#include "spmd/dialect/partitioning/algorithms/Shards.h"
#include "spmd/dialect/stablehlo/Dialect.h"

namespace spmd {

using namespace stablehlo;

namespace {

/// The axes of the only factor of a dim; none if it has no factor.
absl::Span<const AxisRef> axesOfDim(const Localizer &localizer, const DimFactors &factors) {
  return factors.empty() ? absl::Span<const AxisRef>() : localizer.axesOf(factors.front());
}

struct DynamicSliceModel : Partitionable::ExternalModel<DynamicSliceModel, DynamicSliceOp> {
  Strategies getStrategies(mlir::Operation *op) const {
    auto slice = llvm::cast<DynamicSliceOp>(op);
    llvm::ArrayRef<int64_t> shape = shapeOf(slice.getOperand());
    std::optional<ReductionKind> kind = joiningKind(slice.getOperand());
    RuleBuilder builder = ruleFor(op);
    for (size_t d = 0; d < shape.size(); ++d) {
      if (slice.getSliceSizes()[d] == shape[d]) {
        int32_t factor = builder.factor(shape[d]);
        builder.operand(0, d, {factor}).result(0, d, {factor});
      } else if (kind && slice.getSliceSizes()[d] > 0) {
        builder.operand(0, d, {builder.factor({shape[d], FactorKind::index, *kind})});
      }
    }
    std::vector<Commuting> commuting(op->getNumOperands());
    commuting[0] = Commuting::movesElements();
    return {{builder.take(), {}, commuting}};
  }

  /// Rows of dims that are split are taken first; the op then takes all of them.
  mlir::LogicalResult localize(mlir::Operation *op, Localizer &localizer) const {
    auto slice = llvm::cast<DynamicSliceOp>(op);
    const TensorFactors &factors = localizer.strategy->rule.operands[0];
    const Localizer::Tensor &operand = localizer.operand(0);
    for (size_t d = 0; d < factors.size(); ++d) {
      absl::Span<const AxisRef> axes = axesOfDim(localizer, factors[d]);
      int64_t size = operand.type.getDimSize(d), numRows = slice.getSliceSizes()[d];
      if (axes.empty() || numRows == size)
        continue;
      mlir::OpOperand &start = slice.getStartIndicesMutable()[d];
      CutDim cut{static_cast<int64_t>(d), size, axes};
      mlir::Value taken = takeRows(localizer, slice.getOperand(), cut, start.get(), numRows);
      auto type = llvm::cast<mlir::RankedTensorType>(start.get().getType());
      start.set(fillConstant(localizer.builder, op->getLoc(), type, FillValue::zero));
      slice.getOperandMutable().assign(taken);
    }
    localizer.setResultTypes();
    slice.setSliceSizes(shapeOf(slice.getResult()));
    return mlir::success();
  }
};

/// The operand and the result may be split along dims that are written in part; the update is whole
/// there.
struct DynamicUpdateSliceModel
    : Partitionable::ExternalModel<DynamicUpdateSliceModel, DynamicUpdateSliceOp> {
  Strategies getStrategies(mlir::Operation *op) const {
    auto update = llvm::cast<DynamicUpdateSliceOp>(op);
    llvm::ArrayRef<int64_t> shape = shapeOf(update.getOperand());
    RuleBuilder builder = ruleFor(op);
    for (size_t d = 0; d < shape.size(); ++d) {
      int64_t numRows = shapeOf(update.getUpdate())[d];
      if (numRows == 0 && shape[d] != 0)
        continue;
      int32_t factor = builder.factor(shape[d]);
      builder.operand(0, d, {factor}).result(0, d, {factor});
      if (numRows == shape[d])
        builder.operand(1, d, {factor});
    }
    Commuting both;
    for (ReductionKind kind : allReductionKinds)
      both.pass(kind, Passing::jointly);
    std::vector<Commuting> commuting(op->getNumOperands());
    commuting[0] = commuting[1] = both;
    Strategy strategy{builder.take(), {}, commuting};
    strategy.written = {1};
    return {std::move(strategy)};
  }

  mlir::LogicalResult localize(mlir::Operation *op, Localizer &localizer) const {
    auto update = llvm::cast<DynamicUpdateSliceOp>(op);
    llvm::SmallVector<int64_t> dims;
    const OpRule &rule = localizer.strategy->rule;
    for (size_t d = 0; d < rule.operands[0].size(); ++d)
      if (!axesOfDim(localizer, rule.operands[0][d]).empty() && rule.operands[1][d].empty())
        dims.push_back(static_cast<int64_t>(d));
    localizer.setResultTypes();
    if (!dims.empty())
      localizer.replaceWith(writeOwn(localizer, update, dims));
    return mlir::success();
  }

private:
  /// Reads the part of the shard in which the update may fall, changes what of it the update
  /// covers, and writes it back.
  static mlir::Value writeOwn(Localizer &localizer, DynamicUpdateSliceOp op,
                              llvm::ArrayRef<int64_t> dims) {
    mlir::OpBuilder &builder = localizer.builder;
    mlir::Location loc = op.getLoc();
    mlir::Value rows = op.getUpdate(), mask;
    llvm::SmallVector<mlir::Value> starts;
    llvm::SmallVector<std::pair<int64_t, RowsToPut>> places;
    for (auto [d, start] : llvm::enumerate(op.getStartIndices())) {
      int64_t size = localizer.operand(0).type.getDimSize(d),
              numRows = localizer.operand(1).type.getDimSize(d);
      if (!llvm::is_contained(dims, d)) {
        starts.push_back(boundedIndex(builder, loc, localizer.positions, start, 0, size - numRows));
        continue;
      }
      absl::Span<const AxisRef> axes =
          localizer.axesOf(localizer.strategy->rule.operands[0][d].front());
      RowsToPut place = placeRows(localizer, op.getOperand(), {static_cast<int64_t>(d), size, axes},
                                  start, numRows);
      starts.push_back(place.at);
      places.push_back({static_cast<int64_t>(d), place});
    }
    for (auto &[d, place] : places)
      rows = alignRows(localizer, rows, d, place);
    for (auto &[d, place] : places) {
      mlir::Value own =
          coveredRows(localizer, rows, d, place, localizer.operand(1).type.getDimSize(d));
      mask = mask ? AndOp::create(builder, loc, mask.getType(), mask, own)->getResult(0) : own;
    }
    mlir::Value old =
        DynamicSliceOp::create(builder, loc, llvm::cast<mlir::RankedTensorType>(rows.getType()),
                               op.getOperand(), starts, shapeOf(rows));
    mlir::Value changed = SelectOp::create(builder, loc, rows.getType(), mask, rows, old);
    return DynamicUpdateSliceOp::create(builder, loc, op.getOperand(), changed, starts);
  }

  /// Returns the rows of the update that belong to those of the shard; others hold anything.
  static mlir::Value alignRows(Localizer &localizer, mlir::Value update, int64_t dim,
                               const RowsToPut &place) {
    RowBuilder rows{localizer.builder, localizer.op->getLoc(), localizer.positions, dim};
    if (shapeOf(update)[dim] == 1)
      return update;
    mlir::Value padded = rows.pad(update, place.numRows, place.numRows, 0, {});
    mlir::Value from = AddOp::create(localizer.builder, rows.loc, place.from.getType(), place.from,
                                     localizer.positions.constant(place.numRows));
    return rows.slice(padded, from, place.numRows);
  }

  static mlir::Value coveredRows(Localizer &localizer, mlir::Value aligned, int64_t dim,
                                 const RowsToPut &place, int64_t numRows) {
    mlir::OpBuilder &builder = localizer.builder;
    RowBuilder rows{builder, localizer.op->getLoc(), localizer.positions, dim};
    auto lessFrom = [&](int64_t row) {
      return SubtractOp::create(builder, rows.loc, place.from.getType(),
                                localizer.positions.constant(row), place.from);
    };
    return rows.both(rows.rowsFrom(aligned, lessFrom(0)),
                     rows.rowsBelow(aligned, lessFrom(numRows)));
  }
};

} // namespace

void attachDynamicSlice(mlir::MLIRContext *context) {
  DynamicSliceOp::attachInterface<DynamicSliceModel>(*context);
  DynamicUpdateSliceOp::attachInterface<DynamicUpdateSliceModel>(*context);
}

} // namespace spmd
