// select_and_scatter: windows over the operand select rows of the result, to which the source is
// added. A device computes all windows that touch its rows, from rows of the operand and the source
// that its neighbours hold, and keeps its own rows. Where windows reach over the ends, and select
// by comparing, copies of the outermost rows stand there (`algorithms/Edges.h`). Windows that stand
// one behind the other, and that no shard cuts, need none of this.

#include "spmd/dialect/partitioning/Families.h"
#include "spmd/dialect/partitioning/Windows.h"
#include "spmd/dialect/partitioning/algorithms/CollectiveBuilder.h"
#include "spmd/dialect/partitioning/algorithms/Edges.h"
#include "spmd/dialect/partitioning/algorithms/Rows.h"
#include "spmd/dialect/partitioning/algorithms/Shards.h"
#include "spmd/dialect/stablehlo/Dialect.h"

namespace spmd {

using namespace stablehlo;

namespace {

/// How windows of `size` rows, `stride` apart, lie along one dim: the first reaches over its front
/// by `low` rows, the last over its end by up to `high`.
struct Tiling {
  int64_t size, stride, low, high;

  bool isPoint() const { return size == 1 && stride == 1 && !isPadded(); }
  bool isPadded() const { return low != 0 || high != 0; }
  /// Whether each window has a row in front of the end, and one behind the front.
  bool touchesRows() const { return low >= 0 && high >= 0 && low < size && high < size; }

  /// What a shard of the result reads of the source: the windows that touch it. Window o stands at
  /// row o * stride - low, and reaches over `size` rows.
  Window ofSource() const {
    Window window;
    window.size = size;
    window.padLow = size - 1 - low;
    window.baseDilation = stride;
    return window;
  }

  /// What it reads of the operand: all rows of these windows. The first may stand up to
  /// size + stride - 2 rows in front of the shard, the last ends size - 1 rows behind it.
  Window ofOperand() const {
    Window window;
    window.size = 2 * size + 2 * stride - 3;
    window.padLow = size + stride - 2;
    return window;
  }
};

struct SelectAndScatterModel
    : Partitionable::ExternalModel<SelectAndScatterModel, SelectAndScatterOp> {
  /// Dims with padding stay whole if it is not known what could stand in for rows that must not be
  /// selected. Windows one behind the other may also be split as blocks, of which no device needs
  /// another's rows.
  Strategies getStrategies(mlir::Operation *op) const {
    auto scatter = llvm::cast<SelectAndScatterOp>(op);
    Strategies strategies = {strategyOf(scatter, /*inBlocks=*/false)};
    for (size_t d = 0; d < shapeOf(scatter.getOperand()).size(); ++d)
      if (isInBlocks(scatter, d)) {
        strategies.push_back(strategyOf(scatter, /*inBlocks=*/true));
        break;
      }
    return strategies;
  }

  mlir::LogicalResult localize(mlir::Operation *op, Localizer &localizer) const {
    auto scatter = llvm::cast<SelectAndScatterOp>(op);
    llvm::SmallVector<int64_t> dims;
    mlir::Value identity;
    for (const SplitWindow &split : splitWindows(localizer)) {
      if (!identity)
        identity = fillConstant(localizer.builder, op->getLoc(),
                                localizer.operand(1).type.clone(llvm::ArrayRef<int64_t>{}),
                                identityOf(*reductionOf(scatter.getScatter())));
      mlir::OpOperand &operand = op->getOpOperand(split.operand);
      operand.set(readRows(localizer, operand.get(), split.dim, split.axes, split.windowed,
                           split.operand == 1 ? identity : mlir::Value()));
      if (split.operand == 1)
        dims.push_back(split.dim);
    }
    localizer.setResultTypes();
    if (!dims.empty())
      scatterToOwnRows(localizer, scatter, dims, identity);
    return mlir::success();
  }

private:
  static Strategy strategyOf(SelectAndScatterOp scatter, bool inBlocks) {
    llvm::ArrayRef<int64_t> shape = shapeOf(scatter.getOperand());
    std::optional<ReductionKind> kind = reductionOf(scatter.getScatter());
    RuleBuilder builder = ruleFor(scatter);
    Strategy strategy;
    for (int64_t d = 0; d < static_cast<int64_t>(shape.size()); ++d) {
      Tiling tiling = tilingOf(scatter, d);
      if (inBlocks && isInBlocks(scatter, d)) {
        int32_t window = builder.factor(shapeOf(scatter.getSource())[d]),
                row = builder.factor(tiling.size, FactorKind::whole);
        builder.operand(0, d, {window, row}).operand(1, d, {window}).result(0, d, {window, row});
        continue;
      }
      bool mayPad = comparesElements(scatter) && tiling.touchesRows();
      if ((tiling.isPadded() && !mayPad) || shapeOf(scatter.getSource())[d] == 0 ||
          (!tiling.isPoint() && !kind))
        continue;
      addWindowed(builder, strategy, scatter,
                  {{0, d, tiling.isPoint() ? Window() : tiling.ofOperand()},
                   {1, d, tiling.isPoint() ? Window() : tiling.ofSource()}},
                  d);
    }
    strategy.rule = builder.take();
    strategy.flops = numElements(scatter.getOperand());
    return strategy;
  }

  /// Whether windows along dim `d` cover each row once.
  static bool isInBlocks(SelectAndScatterOp op, int64_t d) {
    Tiling tiling = tilingOf(op, d);
    int64_t numWindows = shapeOf(op.getSource())[d];
    return tiling.size == tiling.stride && tiling.size > 1 && !tiling.isPadded() &&
           numWindows > 0 && shapeOf(op.getOperand())[d] == numWindows * tiling.size;
  }

  static Tiling tilingOf(SelectAndScatterOp op, int64_t d) {
    auto at = [&](std::optional<llvm::ArrayRef<int64_t>> values) {
      return values ? (*values)[d] : 1;
    };
    mlir::DenseIntElementsAttr padding = op.getPaddingAttr();
    auto padded = [&](int64_t i) { return padding ? padding.getValues<int64_t>()[i] : 0; };
    return {at(op.getWindowDimensions()), at(op.getWindowStrides()), padded(2 * d),
            padded(2 * d + 1)};
  }

  /// Whether `op` selects the largest row, or the smallest, the first or the last of these.
  static bool comparesElements(SelectAndScatterOp op) {
    mlir::Block &body = op.getSelect().front();
    auto compare = body.getTerminator()->getOperand(0).getDefiningOp<CompareOp>();
    if (!compare || compare->getBlock() != &body)
      return false;
    mlir::Value a = body.getArgument(0), b = body.getArgument(1);
    ComparisonDirection direction = compare.getComparisonDirection();
    return direction != ComparisonDirection::EQ && direction != ComparisonDirection::NE &&
           ((compare.getLhs() == a && compare.getRhs() == b) ||
            (compare.getLhs() == b && compare.getRhs() == a));
  }

  /// Takes the padding of `dims` away.
  static void dropPadding(SelectAndScatterOp op, llvm::ArrayRef<int64_t> dims) {
    mlir::DenseIntElementsAttr padding = op.getPaddingAttr();
    if (!padding)
      return;
    llvm::SmallVector<int64_t> numbers(padding.getValues<int64_t>());
    for (int64_t d : dims)
      numbers[2 * d] = numbers[2 * d + 1] = 0;
    op.setPaddingAttr(mlir::DenseIntElementsAttr::get(padding.getType(), numbers));
  }

  /// How many rows the shard's first row is behind that of the first window, as a scalar; null if
  /// it is `fixed` on all devices. Negative where no window touches the shard's first rows.
  struct Distance {
    int64_t fixed = 0;
    mlir::Value varying;
  };

  static Distance distanceOf(Localizer &localizer, const Tiling &tiling, int64_t d) {
    const Localizer::Tensor &result = localizer.result(0);
    int64_t block = localizer.localType(result).getDimSize(d), stride = tiling.stride;
    WindowedDim source{tiling.ofSource(), localizer.operand(1).type.getDimSize(d),
                       result.type.getDimSize(d), numShards(result.sharding->dims[d])};
    if (source.hasFixedPhase())
      return {tiling.low - source.first(0) * stride, {}};
    // Window o is the first that ends at or behind row block * i, or the one before:
    // o = floor((block * i + low - size + 1) / stride). Lifted by whole strides, nothing is
    // negative.
    int64_t lift = (tiling.size - 1 + stride - 1) / stride;
    Positions &positions = localizer.positions;
    mlir::Value first = positions.firstRow(localizer.mesh, result.sharding->dims[d], block);
    mlir::Value lifted =
        positions.add(first, positions.constant(lift * stride - tiling.size + 1 + tiling.low));
    mlir::Value rest =
        positions.subtract(lifted, positions.multiply(positions.divide(lifted, stride), stride));
    return {0, positions.add(rest, positions.constant(tiling.size - 1))};
  }

  /// A dim that is split: what its windows need, and, if it is padded, where the rows of the whole
  /// begin and end among those that were read, and where windows end among those.
  struct SplitDim {
    int64_t dim;
    Tiling tiling;
    Distance distance;
    mlir::Value first, end, endOfWindows;
    RowBuilder rows;

    /// Copies are made where windows reach over an end.
    EdgeRows edges() const {
      return {tiling.low > 0 ? first : nullptr, tiling.high > 0 ? end : nullptr};
    }
  };

  static SplitDim splitDimOf(Localizer &localizer, SelectAndScatterOp scatter, int64_t d) {
    const Localizer::Tensor &result = localizer.result(0);
    Positions &positions = localizer.positions;
    Tiling tiling = tilingOf(scatter, d);
    Distance distance = distanceOf(localizer, tiling, d);
    SplitDim split{
        d, tiling, distance, {}, {}, {}, {localizer.builder, scatter.getLoc(), positions, d}};
    if (tiling.isPadded()) {
      mlir::Value own = positions.firstRow(localizer.mesh, result.sharding->dims[d],
                                           localizer.localType(result).getDimSize(d));
      mlir::Value behind = distance.varying ? distance.varying : positions.constant(distance.fixed);
      split.first = positions.subtract(behind, own);
      split.end = positions.add(split.first, positions.constant(result.type.getDimSize(d)));
      // The first window o has low - first = o * stride. Lifted, it is not negative.
      int64_t lift = (tiling.size + tiling.stride) / tiling.stride + 1;
      mlir::Value window = positions.divide(
          positions.subtract(positions.constant(lift * tiling.stride + tiling.low), split.first),
          tiling.stride);
      split.endOfWindows = positions.subtract(
          positions.constant(lift + localizer.operand(1).type.getDimSize(d)), window);
    }
    return split;
  }

  /// Returns the rows that the windows run over, out of those that were read.
  static mlir::Value rowsOfWindows(const SplitDim &split, mlir::Value operand, int64_t numWindows) {
    int64_t length = (numWindows - 1) * split.tiling.stride + split.tiling.size;
    int64_t ahead = split.tiling.ofOperand().padLow;
    Positions &positions = split.rows.positions;
    RowBuilder rows = split.rows;
    mlir::Value sliced =
        split.distance.varying
            ? rows.slice(operand,
                         positions.subtract(positions.constant(ahead), split.distance.varying),
                         length)
            : rows.slice(operand, ahead - split.distance.fixed, length);
    return spreadEdges(rows, sliced, split.edges());
  }

  static mlir::Value withoutWindowsBehind(const SplitDim &split, mlir::Value source,
                                          mlir::Value identity) {
    RowBuilder rows = split.rows;
    return rows.select(rows.rowsBelow(source, split.endOfWindows), source,
                       rows.filled(source, shapeOf(source)[split.dim], identity));
  }

  /// Runs the windows over what was read, and takes the shard's rows of the result.
  static void scatterToOwnRows(Localizer &localizer, SelectAndScatterOp scatter,
                               llvm::ArrayRef<int64_t> dims, mlir::Value identity) {
    mlir::RankedTensorType local = localizer.localType(localizer.result(0));
    ReductionKind kind = *reductionOf(scatter.getScatter());
    std::vector<SplitDim> splits;
    bool isFolded = false;
    for (int64_t d : dims) {
      splits.push_back(splitDimOf(localizer, scatter, d));
      isFolded |= splits.back().tiling.isPadded();
      scatter.getOperandMutable().assign(
          rowsOfWindows(splits.back(), scatter.getOperand(), shapeOf(scatter.getSource())[d]));
    }
    for (const SplitDim &split : splits)
      if (split.first) // Else no row of the shard is in a window that is none.
        scatter.getSourceMutable().assign(
            withoutWindowsBehind(split, scatter.getSource(), identity));
    auto windows = llvm::cast<SelectAndScatterOp>(localizer.builder.clone(*scatter));
    windows.getResult().setType(scatter.getOperand().getType());
    dropPadding(windows, dims);
    mlir::Value init = scatter.getInitValue(), result = windows.getResult();
    if (isFolded) // What a copy starts with counts, too.
      windows.getInitValueMutable().assign(init = identity);
    for (SplitDim &split : splits)
      result = foldEdges(split.rows, result, split.edges(), kind);
    for (SplitDim &split : splits) {
      int64_t block = local.getDimSize(split.dim), farthest = split.tiling.ofOperand().padLow;
      int64_t untouched = std::max<int64_t>(0, -split.distance.fixed);
      int64_t missing = std::max<int64_t>(0, farthest + block - shapeOf(result)[split.dim]);
      result = split.rows.pad(result, untouched, missing, 0, init);
      result = split.distance.varying
                   ? split.rows.slice(result, split.distance.varying, block)
                   : split.rows.slice(result, split.distance.fixed + untouched, block);
    }
    if (isFolded && !isFilledWith(scatter.getInitValue(), identityOf(kind))) {
      mlir::Value start =
          BroadcastInDimOp::create(localizer.builder, scatter.getLoc(), result.getType(),
                                   scatter.getInitValue(), llvm::ArrayRef<int64_t>{});
      result = combine(localizer.builder, scatter.getLoc(), kind, result, start);
    }
    localizer.replaceWith(result);
  }
};

} // namespace

void attachSelectAndScatter(mlir::MLIRContext *context) {
  SelectAndScatterOp::attachInterface<SelectAndScatterModel>(*context);
}

} // namespace spmd
