// select_and_scatter: windows over the operand select rows of the result, to which the source is
// added. A device computes all windows that touch its rows, from rows of the operand and the source
// that its neighbours hold, and keeps its own rows.

#include "spmd/dialect/partitioning/Families.h"
#include "spmd/dialect/partitioning/Windows.h"
#include "spmd/dialect/partitioning/algorithms/Rows.h"
#include "spmd/dialect/partitioning/algorithms/Shards.h"
#include "spmd/dialect/stablehlo/Dialect.h"

namespace spmd {

using namespace stablehlo;

namespace {

/// How windows of `size` rows, `stride` apart, lie along one dim; none reaches over the ends.
struct Tiling {
  int64_t size, stride;

  bool isPoint() const { return size == 1 && stride == 1; }

  /// What a shard of the result reads of the source: the windows that touch it. Window o stands at
  /// row o * stride, and reaches over `size` rows.
  Window ofSource() const {
    Window window;
    window.size = size;
    window.padLow = size - 1;
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
  /// Dims with padding stay whole: nothing could stand in for rows that must not be selected.
  Strategies getStrategies(mlir::Operation *op) const {
    auto scatter = llvm::cast<SelectAndScatterOp>(op);
    llvm::ArrayRef<int64_t> shape = shapeOf(scatter.getOperand());
    std::optional<ReductionKind> kind = reductionOf(scatter.getScatter());
    RuleBuilder builder = ruleFor(op);
    Strategy strategy;
    for (int64_t d = 0; d < static_cast<int64_t>(shape.size()); ++d) {
      Tiling tiling = tilingOf(scatter, d);
      if (isPadded(scatter, d) || shapeOf(scatter.getSource())[d] == 0 ||
          (!tiling.isPoint() && !kind))
        continue;
      addWindowed(builder, strategy, op,
                  {{0, d, tiling.isPoint() ? Window() : tiling.ofOperand()},
                   {1, d, tiling.isPoint() ? Window() : tiling.ofSource()}},
                  d);
    }
    strategy.rule = builder.take();
    strategy.flops = numElements(scatter.getOperand());
    return {strategy};
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
      scatterToOwnRows(localizer, scatter, dims);
    return mlir::success();
  }

private:
  static Tiling tilingOf(SelectAndScatterOp op, int64_t d) {
    auto at = [&](std::optional<llvm::ArrayRef<int64_t>> values) {
      return values ? (*values)[d] : 1;
    };
    return {at(op.getWindowDimensions()), at(op.getWindowStrides())};
  }

  static bool isPadded(SelectAndScatterOp op, int64_t d) {
    mlir::DenseIntElementsAttr padding = op.getPaddingAttr();
    return padding && (padding.getValues<int64_t>()[2 * d] != 0 ||
                       padding.getValues<int64_t>()[2 * d + 1] != 0);
  }

  /// How many rows the shard's first row is behind that of the first window, as a scalar; null if
  /// it is `fixed` on all devices.
  struct Distance {
    int64_t fixed = 0;
    mlir::Value varying;
  };

  static Distance distanceOf(Localizer &localizer, const Tiling &tiling, int64_t d) {
    const Localizer::Tensor &result = localizer.result(0);
    int64_t block = localizer.localType(result).getDimSize(d), stride = tiling.stride;
    // Window o is the first that ends at or behind row block * i: o = floor((block * i - size + 1)
    // / stride). Lifted by whole strides, nothing is negative.
    int64_t lift = (tiling.size - 1 + stride - 1) / stride;
    Positions &positions = localizer.positions;
    if (block % stride == 0)
      return {tiling.size - 1 + (lift * stride - tiling.size + 1) % stride, {}};
    mlir::Value first = positions.firstRow(localizer.mesh, result.sharding->dims[d], block);
    mlir::Value lifted = positions.add(first, positions.constant(lift * stride - tiling.size + 1));
    mlir::Value rest =
        positions.subtract(lifted, positions.multiply(positions.divide(lifted, stride), stride));
    return {0, positions.add(rest, positions.constant(tiling.size - 1))};
  }

  /// Runs the windows over what was read, and takes the shard's rows of the result.
  static void scatterToOwnRows(Localizer &localizer, SelectAndScatterOp scatter,
                               llvm::ArrayRef<int64_t> dims) {
    Positions &positions = localizer.positions;
    mlir::RankedTensorType local = localizer.localType(localizer.result(0));
    llvm::SmallVector<Distance> distances;
    mlir::Value operand = scatter.getOperand();
    for (int64_t d : dims) {
      Tiling tiling = tilingOf(scatter, d);
      RowBuilder rows{localizer.builder, scatter.getLoc(), positions, d};
      int64_t length = (shapeOf(scatter.getSource())[d] - 1) * tiling.stride + tiling.size;
      int64_t ahead = tiling.ofOperand().padLow;
      Distance distance = distanceOf(localizer, tiling, d);
      distances.push_back(distance);
      operand =
          distance.varying
              ? rows.slice(operand, positions.subtract(positions.constant(ahead), distance.varying),
                           length)
              : rows.slice(operand, ahead - distance.fixed, length);
    }
    scatter.getOperandMutable().assign(operand);
    mlir::Operation *windows = localizer.builder.clone(*scatter);
    windows->getResult(0).setType(operand.getType());
    mlir::Value result = windows->getResult(0);
    for (auto [d, distance] : llvm::zip(dims, distances)) {
      RowBuilder rows{localizer.builder, scatter.getLoc(), positions, d};
      int64_t block = local.getDimSize(d), farthest = tilingOf(scatter, d).ofOperand().padLow;
      int64_t missing = std::max<int64_t>(0, farthest + block - shapeOf(result)[d]);
      result = rows.pad(result, 0, missing, 0, scatter.getInitValue());
      result = distance.varying ? rows.slice(result, distance.varying, block)
                                : rows.slice(result, distance.fixed, block);
    }
    localizer.replaceWith(result);
  }
};

} // namespace

void attachSelectAndScatter(mlir::MLIRContext *context) {
  SelectAndScatterOp::attachInterface<SelectAndScatterModel>(*context);
}

} // namespace spmd
