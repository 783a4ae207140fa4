// Rows that go round: along a dim that is split, each device gets its rows from one or two others.

#include "spmd/dialect/spmd/Rotate.h"
#include "spmd/dialect/partitioning/Families.h"
#include "spmd/dialect/partitioning/Windows.h"
#include "spmd/dialect/partitioning/algorithms/Rows.h"
#include "spmd/ir/sharding/Layout.h"

namespace spmd {

namespace {

/// Makes one device's rows of a dim that is split into shards without padding.
class Rotation {
public:
  Rotation(Localizer &localizer, RotateOp op, const SplitWindow &split)
      : localizer(localizer), op(op), split(split), shards(split.windowed.shards),
        rows{localizer.builder, op.getLoc(), localizer.positions, split.dim} {}

  /// With blocks of 4 rows, by 6: rows 2 and 3 of the next device, rows 0 and 1 of the one behind.
  mlir::Value run() {
    int64_t block = split.windowed.block(), by = op.getBy();
    int64_t distance = by / block, from = by % block;
    mlir::Value own = op.getOperand();
    mlir::Value front = sent(distance, rows.slice(own, from, block - from));
    if (from == 0)
      return front;
    return rows.join({front, sent(distance + 1, rows.slice(own, 0, from))});
  }

private:
  /// Returns the strip of the device `distance` places further on, round the end.
  mlir::Value sent(int64_t distance, mlir::Value strip) {
    if (distance % shards == 0)
      return strip;
    std::vector<std::pair<int64_t, int64_t>> pairs;
    for (const std::vector<int64_t> &line : deviceGroups(localizer.mesh, split.axes))
      for (int64_t i = 0; i < shards; ++i)
        pairs.emplace_back(line[(i + distance) % shards], line[i]);
    return localizer.collectives.permute(localizer.builder, op.getLoc(), strip, pairs);
  }

  Localizer &localizer;
  RotateOp op;
  const SplitWindow &split;
  int64_t shards;
  RowBuilder rows;
};

struct RotateModel : Partitionable::ExternalModel<RotateModel, RotateOp> {
  Strategies getStrategies(mlir::Operation *op) const {
    RuleBuilder builder = ruleFor(op);
    Strategy strategy;
    auto rotate = llvm::cast<RotateOp>(op);
    for (int64_t d = 0; d < static_cast<int64_t>(shapeOf(rotate.getResult()).size()); ++d) {
      Window window;
      if (d == static_cast<int64_t>(rotate.getDim()))
        window.padLow = -static_cast<int64_t>(rotate.getBy());
      addWindowed(builder, strategy, op, {{0, d, window}}, d);
    }
    strategy.rule = builder.take();
    strategy.commuting = {Commuting::movesElements()};
    return {strategy};
  }

  mlir::LogicalResult localize(mlir::Operation *op, Localizer &localizer) const {
    auto rotate = llvm::cast<RotateOp>(op);
    llvm::SmallVector<SplitWindow> windows = splitWindows(localizer);
    if (!windows.empty()) {
      const WindowedDim &windowed = windows.front().windowed;
      if (windowed.size % windowed.shards != 0)
        return op->emitOpError() << "moves " << windowed.size << " rows round over "
                                 << windowed.shards
                                 << " devices, which does not divide; join slices";
      localizer.replaceWith(Rotation(localizer, rotate, windows.front()).run());
      return mlir::success();
    }
    int64_t dim = rotate.getDim(), by = rotate.getBy();
    RowBuilder rows{localizer.builder, op->getLoc(), localizer.positions, dim};
    int64_t size = localizer.operand(0).type.getDimSize(dim);
    localizer.replaceWith(rows.join(
        {rows.slice(rotate.getOperand(), by, size - by), rows.slice(rotate.getOperand(), 0, by)}));
    return mlir::success();
  }
};

} // namespace

void attachMoves(mlir::MLIRContext *context) { RotateOp::attachInterface<RotateModel>(*context); }

} // namespace spmd
