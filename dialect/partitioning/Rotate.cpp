// Rows that go round: along a dim that is split, each device gets its rows from one or two others.

#include "spmd/dialect/spmd/Rotate.h"
#include "spmd/dialect/partitioning/Families.h"
#include "spmd/dialect/partitioning/Windows.h"
#include "spmd/dialect/partitioning/algorithms/Rows.h"
#include "spmd/ir/sharding/Layout.h"

namespace spmd {

namespace {

/// Makes one device's rows of a dim that is split.
class Rotation {
public:
  Rotation(Localizer &localizer, RotateOp op, const SplitWindow &split)
      : localizer(localizer), split(split), own(op.getOperand()), by(op.getBy()),
        size(split.windowed.size), shards(split.windowed.shards), block(split.windowed.block()),
        padding(block * shards - size),
        rows{localizer.builder, op.getLoc(), localizer.positions, split.dim} {}

  /// With blocks of 4 rows, by 6: rows 2 and 3 of the next device, rows 0 and 1 of the one behind.
  /// Round the end rows are `padding` further on, which cuts blocks elsewhere unless it is blocks.
  mlir::Value run() {
    if (padding % block == 0)
      return turned(0, 2);
    mlir::Value before = turned(0, 1), behind = turned(1, 2);
    Positions &positions = localizer.positions;
    mlir::Value firstRow =
        positions.multiply(positions.coordinate(localizer.mesh, split.axes), block);
    mlir::Value end = positions.subtract(positions.constant(size - by), firstRow);
    return rows.select(rows.rowsBelow(before, end), before, behind);
  }

private:
  /// Returns the rows of the device's block as far as they are found after a number of turns round
  /// the end that is in [fewest, end), and anything for the others.
  mlir::Value turned(int64_t fewest, int64_t end) {
    int64_t from = (by + fewest * padding) % block;
    mlir::Value front = strip(fewest, end, 0, from, block - from);
    return from == 0 ? front : rows.join({front, strip(fewest, end, 1, 0, from)});
  }

  /// Returns `numRows` of these rows, which stand from row `from` on in the blocks of devices
  /// further on: one more for those of the `part` 1, at the end of the device's own.
  mlir::Value strip(int64_t fewest, int64_t end, int64_t part, int64_t from, int64_t numRows) {
    int64_t at = part == 0 ? 0 : block - numRows, first = numRows, last = 0;
    std::vector<std::pair<int64_t, int64_t>> froms;
    bool moves = false;
    for (int64_t i = 0; i < shards; ++i)
      for (int64_t turn = fewest; turn < end; ++turn) {
        // Rows of the strip that exist and come round the end as often as that.
        int64_t start = i * block + at, turns = size - by - start;
        int64_t low = turn == 0 ? 0 : std::max<int64_t>(0, turns);
        int64_t high = std::min(numRows, turn == 0 ? turns : size - start);
        if (low >= high)
          continue;
        int64_t distance = (by + turn * padding) / block + part - turn * shards;
        froms.emplace_back(i + distance, i);
        moves |= distance != 0;
        first = std::min(first, low);
        last = std::max(last, high);
      }
    if (froms.empty())
      return rows.filled(own, numRows, nullptr);
    if (!moves)
      return rows.slice(own, from, numRows);
    std::vector<std::pair<int64_t, int64_t>> pairs;
    for (const std::vector<int64_t> &line : deviceGroups(localizer.mesh, split.axes))
      for (auto [sender, receiver] : froms)
        pairs.emplace_back(line[sender], line[receiver]);
    mlir::Value sent = localizer.collectives.permute(
        localizer.builder, rows.loc, rows.slice(own, from + first, last - first), pairs);
    return rows.pad(sent, first, numRows - last, 0, nullptr);
  }

  Localizer &localizer;
  const SplitWindow &split;
  mlir::Value own;
  int64_t by, size, shards, block;
  int64_t padding; ///< Rows of the blocks that do not exist.
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
