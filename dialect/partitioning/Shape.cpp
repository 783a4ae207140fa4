// Ops that move elements about: dims that stay whole in the move split freely.

#include "spmd/dialect/partitioning/Families.h"
#include "spmd/dialect/partitioning/Windows.h"
#include "spmd/dialect/partitioning/algorithms/Indexed.h"
#include "spmd/dialect/partitioning/algorithms/Rows.h"
#include "spmd/dialect/partitioning/algorithms/Shards.h"
#include "spmd/dialect/stablehlo/Dialect.h"

namespace spmd {

using namespace stablehlo;

namespace {

struct BroadcastInDimModel : Partitionable::ExternalModel<BroadcastInDimModel, BroadcastInDimOp> {
  Strategies getStrategies(mlir::Operation *op) const {
    auto broadcast = llvm::cast<BroadcastInDimOp>(op);
    RuleBuilder builder = ruleFor(op);
    llvm::ArrayRef<int64_t> from = shapeOf(broadcast.getOperand()),
                            to = shapeOf(broadcast.getResult());
    std::vector<int32_t> factors;
    for (size_t d = 0; d < to.size(); ++d) {
      factors.push_back(builder.factor(to[d]));
      builder.result(0, d, {factors.back()});
    }
    for (auto [d, resultDim] : llvm::enumerate(broadcast.getBroadcastDimensions()))
      if (from[d] == to[resultDim])
        builder.operand(0, d, {factors[resultDim]});
    return {{builder.take(), {}, {Commuting::movesElements()}}};
  }
};

/// New dims, then those of the operand.
struct BroadcastModel : Partitionable::ExternalModel<BroadcastModel, BroadcastOp> {
  Strategies getStrategies(mlir::Operation *op) const {
    auto broadcast = llvm::cast<BroadcastOp>(op);
    RuleBuilder builder = ruleFor(op);
    size_t numNew = broadcast.getBroadcastSizes().size();
    for (auto [d, size] : llvm::enumerate(shapeOf(broadcast.getResult()))) {
      int32_t factor = builder.factor(size);
      builder.result(0, d, {factor});
      if (d >= numNew)
        builder.operand(0, d - numNew, {factor});
    }
    return {{builder.take(), {}, {Commuting::movesElements()}}};
  }
  mlir::LogicalResult localize(mlir::Operation *op, Localizer &localizer) const {
    auto broadcast = llvm::cast<BroadcastOp>(op);
    localizer.setResultTypes();
    broadcast.setBroadcastSizes(
        shapeOf(broadcast.getResult()).take_front(broadcast.getBroadcastSizes().size()));
    return mlir::success();
  }
};

struct TransposeModel : Partitionable::ExternalModel<TransposeModel, TransposeOp> {
  Strategies getStrategies(mlir::Operation *op) const {
    auto transpose = llvm::cast<TransposeOp>(op);
    RuleBuilder builder = ruleFor(op);
    for (auto [d, operandDim] : llvm::enumerate(transpose.getPermutation())) {
      int32_t factor = builder.factor(shapeOf(transpose.getResult())[d]);
      builder.operand(0, operandDim, {factor}).result(0, d, {factor});
    }
    return {{builder.take(), {}, {Commuting::movesElements()}}};
  }
};

/// A wider element is a last dim of narrower ones, which stays whole.
struct BitcastConvertModel : Partitionable::ExternalModel<BitcastConvertModel, BitcastConvertOp> {
  Strategies getStrategies(mlir::Operation *op) const {
    RuleBuilder builder = ruleFor(op);
    llvm::ArrayRef<int64_t> from = shapeOf(op->getOperand(0)), to = shapeOf(op->getResult(0));
    for (size_t d = 0; d < std::min(from.size(), to.size()); ++d) {
      int32_t factor = builder.factor(to[d]);
      builder.operand(0, d, {factor}).result(0, d, {factor});
    }
    return {{builder.take(), {}, {Commuting()}}};
  }
};

/// Dims that the op leaves as they are split freely; those that it cuts, pads, turns or joins are
/// read through windows: `windowOf` tells how an operand's dim is.
template <typename Op, typename Derived>
struct MovedDimsModel : Partitionable::ExternalModel<Derived, Op> {
  Strategies getStrategies(mlir::Operation *op) const {
    RuleBuilder builder = ruleFor(op);
    Strategy strategy;
    auto result = llvm::cast<mlir::RankedTensorType>(op->getResult(0).getType());
    for (int64_t d = 0; d < result.getRank(); ++d)
      addWindowed(builder, strategy, op, Derived::windowsOf(llvm::cast<Op>(op), d), d);
    strategy.rule = builder.take();
    strategy.commuting = static_cast<const Derived *>(this)->commuting(op);
    return {strategy};
  }
  static llvm::SmallVector<WindowedOperand> windowsOf(Op op, int64_t d) {
    return {{0, d, Derived::windowOf(op, d)}};
  }
  /// Data is moved, nothing computed; operands of rank 0 take part as they are.
  std::vector<Commuting> commuting(mlir::Operation *op) const {
    return std::vector<Commuting>(op->getNumOperands(), Commuting::movesElements());
  }
};

struct ReverseModel : MovedDimsModel<ReverseOp, ReverseModel> {
  static Window windowOf(ReverseOp op, int64_t d) {
    Window window;
    window.reversed = llvm::is_contained(op.getDimensions(), d) && shapeOf(op.getResult())[d] > 1;
    return window;
  }
  /// A dim that is split is read in reverse; the op turns the others.
  mlir::LogicalResult localize(mlir::Operation *op, Localizer &localizer) const {
    auto reverse = llvm::cast<ReverseOp>(op);
    llvm::SmallVector<int64_t> dims(reverse.getDimensions());
    readSplitWindows(localizer, {}, [&](int64_t d, const WindowRead &) { llvm::erase(dims, d); });
    localizer.setResultTypes();
    if (dims.empty())
      localizer.replaceWith(reverse.getOperand());
    else
      reverse.setDimensions(dims);
    return mlir::success();
  }
};

/// Rows of a dim that is split are read through windows. Of few rows, each device may give those it
/// holds instead: their sum is less than the whole dim.
struct SliceModel : MovedDimsModel<SliceOp, SliceModel> {
  static Window windowOf(SliceOp op, int64_t d) {
    Window window;
    window.stride = shapeOf(op.getResult())[d] == 1 ? 1 : op.getStrides()[d];
    window.padLow = -op.getStartIndices()[d];
    return window;
  }

  Strategies getStrategies(mlir::Operation *op) const {
    Strategies all = MovedDimsModel::getStrategies(op);
    std::optional<ReductionKind> kind = joiningKind(op->getOperand(0));
    auto slice = llvm::cast<SliceOp>(op);
    if (kind && llvm::any_of(llvm::seq(all.front().rule.operands[0].size()),
                             [&](int64_t d) { return hasFewRows(slice, d); }))
      all.push_back(sharesOf(slice, *kind, all.front().commuting));
    return all;
  }

  mlir::LogicalResult localize(mlir::Operation *op, Localizer &localizer) const {
    auto slice = llvm::cast<SliceOp>(op);
    llvm::SmallVector<int64_t> starts(slice.getStartIndices()), limits(slice.getLimitIndices());
    for (size_t d = 0; d < limits.size(); ++d) {
      if (takeOwnRows(slice, localizer, d, starts[d]))
        starts[d] = 0;
      if (starts[d] == 0 || !localizer.result(0).sharding->dims[d].axes.empty())
        limits[d] = std::min(limits[d], shapeOf(slice.getOperand())[d]);
    }
    readSplitWindows(localizer, {}, [&](int64_t d, const WindowRead &) {
      starts[d] = 0;
      limits[d] = shapeOf(slice.getOperand())[d];
    });
    localizer.setResultTypes();
    slice.setStartIndices(starts);
    slice.setLimitIndices(limits);
    if (slice.getOperand().getType() == slice.getType())
      localizer.replaceWith(slice.getOperand());
    return mlir::success();
  }

private:
  /// A sum moves each row twice.
  static bool hasFewRows(SliceOp slice, int64_t d) {
    int64_t rows = shapeOf(slice.getResult())[d];
    return rows > 0 && 2 * rows < shapeOf(slice.getOperand())[d] &&
           (rows == 1 || slice.getStrides()[d] == 1);
  }

  static Strategy sharesOf(SliceOp slice, ReductionKind kind, std::vector<Commuting> commuting) {
    RuleBuilder builder = ruleFor(slice);
    Strategy strategy;
    llvm::ArrayRef<int64_t> shape = shapeOf(slice.getOperand());
    for (int64_t d = 0; d < static_cast<int64_t>(shape.size()); ++d)
      if (hasFewRows(slice, d))
        builder.operand(0, d, {builder.factor({shape[d], FactorKind::index, kind})});
      else
        addWindowed(builder, strategy, slice, {{0, d, windowOf(slice, d)}}, d);
    strategy.rule = builder.take();
    strategy.commuting = std::move(commuting);
    return strategy;
  }

  /// Replaces the operand by the device's share of the rows of dim `d`, if that is asked for.
  static bool takeOwnRows(SliceOp slice, Localizer &localizer, int64_t d, int64_t start) {
    const OpRule &rule = localizer.strategy->rule;
    const DimFactors &factors = rule.operands[0][d];
    if (factors.empty() || rule.factors[factors.front()].kind != FactorKind::index)
      return false;
    absl::Span<const AxisRef> axes = localizer.axesOf(factors.front());
    if (axes.empty())
      return false;
    CutDim cut{d, localizer.operand(0).type.getDimSize(d), axes};
    slice.getOperandMutable().assign(takeRows(localizer, slice.getOperand(), cut,
                                              localizer.positions.constant(start),
                                              localizer.result(0).type.getDimSize(d)));
    return true;
  }
};

struct ConcatenateModel : MovedDimsModel<ConcatenateOp, ConcatenateModel> {
  /// Each operand is a result that is padded where the others are.
  static llvm::SmallVector<WindowedOperand> windowsOf(ConcatenateOp op, int64_t d) {
    llvm::SmallVector<WindowedOperand> operands;
    Window window;
    for (mlir::OpOperand &operand : op->getOpOperands()) {
      operands.push_back({operand.getOperandNumber(), d, window});
      if (static_cast<int64_t>(op.getDimension()) == d)
        window.padLow += shapeOf(operand.get())[d];
    }
    return operands;
  }
  std::vector<Commuting> commuting(mlir::Operation *op) const {
    Commuting commuting;
    for (ReductionKind kind : allReductionKinds)
      commuting.pass(kind, Passing::jointly);
    return std::vector<Commuting>(op->getNumOperands(), commuting);
  }
  /// Along the dim that is joined, each row of the result is one of those that the operands would
  /// have there.
  mlir::LogicalResult localize(mlir::Operation *op, Localizer &localizer) const {
    auto concatenate = llvm::cast<ConcatenateOp>(op);
    int64_t dim = concatenate.getDimension();
    const Localizer::Tensor &result = localizer.result(0);
    bool isJoined = false;
    readSplitWindows(localizer, {}, [&](int64_t, const WindowRead &) { isJoined = true; });
    localizer.setResultTypes();
    if (!isJoined)
      return mlir::success();
    RowBuilder rows{localizer.builder, op->getLoc(), localizer.positions, dim};
    mlir::Value first = localizer.positions.firstRow(localizer.mesh, result.sharding->dims[dim],
                                                     shapeOf(op->getResult(0))[dim]);
    mlir::Value joined;
    int64_t begin = 0;
    for (unsigned i = 0; i < op->getNumOperands(); ++i) {
      mlir::Value own = op->getOperand(i);
      if (joined && localizer.operand(i).type.getDimSize(dim) > 0)
        joined = rows.select(rows.rowsBelow(own, localizer.positions.subtract(
                                                     localizer.positions.constant(begin), first)),
                             joined, own);
      else if (localizer.operand(i).type.getDimSize(dim) > 0)
        joined = own;
      begin += localizer.operand(i).type.getDimSize(dim);
    }
    localizer.replaceWith(joined);
    return mlir::success();
  }
};

/// The padding value is added on every device, so a partial sum must not pass. Where each device
/// holds all rows of the operand, it reads those of its own part of the result, and nothing moves.
struct PadModel : MovedDimsModel<PadOp, PadModel> {
  static Window windowOf(PadOp op, int64_t d) {
    Window window;
    window.padLow = op.getEdgePaddingLow()[d];
    window.padHigh = op.getEdgePaddingHigh()[d];
    window.baseDilation = op.getInteriorPadding()[d] + 1;
    return window;
  }
  std::vector<Commuting> commuting(mlir::Operation *) const { return {}; }

  Strategies getStrategies(mlir::Operation *op) const {
    Strategies all = MovedDimsModel::getStrategies(op);
    auto pad = llvm::cast<PadOp>(op);
    if (llvm::any_of(llvm::seq(all.front().rule.operands[0].size()),
                     [&](int64_t d) { return canReadWhole(pad, d); }))
      all.push_back(ofWhole(pad));
    return all;
  }

  mlir::LogicalResult localize(mlir::Operation *op, Localizer &localizer) const {
    auto pad = llvm::cast<PadOp>(op);
    llvm::SmallVector<int64_t> low(pad.getEdgePaddingLow()), high(pad.getEdgePaddingHigh()),
        interior(pad.getInteriorPadding());
    readSplitWindows(
        localizer, [&](unsigned) { return pad.getPaddingValue(); },
        [&](int64_t d, const WindowRead &read) {
          low[d] = read.padLow;
          high[d] = read.padHigh;
          interior[d] = read.baseDilation - 1;
        });
    llvm::SmallVector<mlir::Value> starts = readWhole(pad, localizer, low, high);
    localizer.setResultTypes();
    pad.setEdgePaddingLow(low);
    pad.setEdgePaddingHigh(high);
    pad.setInteriorPadding(interior);
    if (!starts.empty())
      cut(pad, localizer, starts);
    return mlir::success();
  }

private:
  static bool canReadWhole(PadOp pad, int64_t d) {
    bool isPadded = pad.getEdgePaddingLow()[d] != 0 || pad.getEdgePaddingHigh()[d] != 0;
    return isPadded && pad.getInteriorPadding()[d] == 0 && shapeOf(pad.getOperand())[d] > 0;
  }

  /// Dims that are padded at their ends split in the result alone.
  static Strategy ofWhole(PadOp pad) {
    RuleBuilder builder = ruleFor(pad);
    Strategy strategy;
    llvm::ArrayRef<int64_t> shape = shapeOf(pad.getResult());
    for (int64_t d = 0; d < static_cast<int64_t>(shape.size()); ++d)
      if (canReadWhole(pad, d))
        builder.result(0, d, {builder.factor(shape[d])});
      else
        addWindowed(builder, strategy, pad, {{0, d, windowOf(pad, d)}}, d);
    strategy.rule = builder.take();
    return strategy;
  }

  /// Pads by a part of the result at both ends of each dim that splits in the result alone, so that
  /// every part is within; returns where the device's part starts, or nothing if no dim is so
  /// split.
  static llvm::SmallVector<mlir::Value> readWhole(PadOp pad, Localizer &localizer,
                                                  llvm::MutableArrayRef<int64_t> low,
                                                  llvm::MutableArrayRef<int64_t> high) {
    const Localizer::Tensor &result = localizer.result(0);
    mlir::RankedTensorType local = localTypeOf(result.type, *result.sharding);
    llvm::SmallVector<mlir::Value> starts(low.size(), localizer.positions.constant(0));
    bool isCut = false;
    for (size_t d = 0; d < low.size(); ++d) {
      int64_t rows = local.getDimSize(d);
      if (!localizer.strategy->rule.operands[0][d].empty() || rows == result.type.getDimSize(d))
        continue;
      mlir::Value first =
          localizer.positions.firstRow(localizer.mesh, result.sharding->dims[d], rows);
      starts[d] = localizer.positions.add(first, localizer.positions.constant(rows - low[d]));
      low[d] = high[d] = rows;
      isCut = true;
    }
    return isCut ? starts : llvm::SmallVector<mlir::Value>();
  }

  /// Replaces the op by its rows from `starts` on. Parts that are padding alone may start outside,
  /// and are then taken from where they are inside, which is padding too.
  static void cut(PadOp pad, Localizer &localizer, mlir::ValueRange starts) {
    auto local = llvm::cast<mlir::RankedTensorType>(pad.getType());
    llvm::SmallVector<int64_t> shape(shapeOf(pad.getOperand()));
    for (size_t d = 0; d < shape.size(); ++d)
      shape[d] += pad.getEdgePaddingLow()[d] + pad.getEdgePaddingHigh()[d] +
                  std::max<int64_t>(shape[d] - 1, 0) * pad.getInteriorPadding()[d];
    mlir::Value padded =
        PadOp::create(localizer.builder, pad.getLoc(), local.clone(shape), pad.getOperand(),
                      pad.getPaddingValue(), pad.getEdgePaddingLow(), pad.getEdgePaddingHigh(),
                      pad.getInteriorPadding());
    localizer.replaceWith(DynamicSliceOp::create(localizer.builder, pad.getLoc(), local, padded,
                                                 starts, local.getShape())
                              ->getResult(0));
  }
};

} // namespace

void attachShape(mlir::MLIRContext *context) {
  BroadcastInDimOp::attachInterface<BroadcastInDimModel>(*context);
  BroadcastOp::attachInterface<BroadcastModel>(*context);
  TransposeOp::attachInterface<TransposeModel>(*context);
  BitcastConvertOp::attachInterface<BitcastConvertModel>(*context);
  ReverseOp::attachInterface<ReverseModel>(*context);
  SliceOp::attachInterface<SliceModel>(*context);
  ConcatenateOp::attachInterface<ConcatenateModel>(*context);
  PadOp::attachInterface<PadModel>(*context);
}

} // namespace spmd
