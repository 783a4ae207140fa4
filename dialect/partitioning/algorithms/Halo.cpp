#include "spmd/dialect/partitioning/algorithms/Halo.h"

#include "spmd/dialect/partitioning/Families.h"
#include "spmd/dialect/partitioning/algorithms/Rows.h"
#include "spmd/dialect/partitioning/algorithms/Shards.h"
#include "spmd/dialect/spmd/Dialect.h"
#include "spmd/dialect/spmd/ValueSharding.h"

#include "llvm/Support/MathExtras.h"

namespace spmd {

/// Whether `load` reads what a buffer argument held at first.
static bool readsAtFirst(LoadOp load) {
  auto argument = llvm::dyn_cast<mlir::BlockArgument>(load.getBuffer());
  return argument && argument.getOwner() == load->getBlock() &&
         llvm::all_of(argument.getUsers(), [&](mlir::Operation *user) {
           return llvm::isa<LoadOp>(user) ||
                  (user->getBlock() == load->getBlock() && load->isBeforeInBlock(user));
         });
}

/// Whether `value` is the same on all devices for sure: a constant, or an argument that lies whole;
/// padded, perhaps.
static bool isAlikeEverywhere(mlir::Value value) {
  if (auto load = value.getDefiningOp<LoadOp>(); load && readsAtFirst(load))
    return isAlikeEverywhere(load.getBuffer());
  if (auto pad = value.getDefiningOp<stablehlo::PadOp>())
    return isAlikeEverywhere(pad.getOperand()) && isAlikeEverywhere(pad.getPaddingValue());
  if (value.getDefiningOp<stablehlo::ConstantOp>())
    return true;
  auto argument = llvm::dyn_cast<mlir::BlockArgument>(value);
  if (!argument || !llvm::isa<mlir::func::FuncOp>(argument.getOwner()->getParentOp()))
    return false;
  ValueSharding sharding = shardingOf(argument);
  return sharding && sharding.attr.getSpec().unreduced.empty() &&
         llvm::all_of(sharding.attr.getSpec().dims,
                      [](const DimSpec &dim) { return dim.axes.empty(); });
}

namespace {

class HaloReader {
public:
  HaloReader(Localizer &localizer, mlir::Value local, int64_t dim, absl::Span<const AxisRef> axes,
             const WindowedDim &windowed, mlir::Value fill)
      : localizer(localizer), positions(localizer.positions), local(local), axes(axes),
        windowed(windowed), fill(fill),
        rows{localizer.builder, localizer.op->getLoc(), localizer.positions, dim} {}

  WindowRead read() {
    mlir::Value found = readRows();
    int64_t dilation = windowed.window.baseDilation, span = windowed.span(),
            dilated = (windowed.length() - 1) * dilation + 1;
    if (dilation == 1)
      return {found};
    if (windowed.hasFixedPhase()) {
      int64_t phase = windowed.spanFrom(0) - windowed.first(0) * dilation;
      return {found, -phase, span - (dilated - phase), dilation};
    }
    // Devices begin at different places between rows: fill them in, then cut.
    int64_t missing = std::max<int64_t>(0, dilation - 1 + span - dilated);
    mlir::Value whole = rows.pad(found, 0, missing, dilation - 1, fill);
    return {rows.slice(whole, phase(), span)};
  }

  /// Returns length() rows from the first that the device needs on.
  mlir::Value readRows() {
    HaloPlan plan = planHalo(windowed);
    if (plan.rounds.empty())
      return rows.filled(local, windowed.length(), fill);
    if (mlir::Value alike = rowsAlike())
      return fill && isAnyMissing() ? mask(alike) : alike;
    bool gathers = false;
    costOfHalo(windowed, plan, bytesOfRow(), CostModel{}, &gathers);
    mlir::Value whole = wholeBehind();
    mlir::Value found = whole          ? readFrom(whole)
                        : gathers      ? readFrom(gather())
                        : plan.isFixed ? joinStrips(plan)
                                       : placeStrips(plan);
    return needsMask() ? mask(found) : found;
  }

private:
  mlir::Value coordinate() { return positions.coordinate(localizer.mesh, axes); }

  /// The place of the device's own block, counted from the other end where the dim is read so.
  mlir::Value ownPlace() {
    return windowed.window.reversed
               ? positions.subtract(positions.constant(windowed.shards - 1), coordinate())
               : coordinate();
  }

  /// Returns a * slope + offset; null for 0.
  mlir::Value affine(mlir::Value a, int64_t slope, int64_t offset) {
    mlir::Value scaled = slope == 0 ? mlir::Value() : positions.multiply(a, slope);
    return offset == 0 ? scaled : positions.add(scaled, positions.constant(offset));
  }

  /// Returns slope * (place + shift) + offset in dilated places, cut at a row: rows in front of the
  /// cut, and places behind it, not negative and few.
  std::pair<mlir::Value, mlir::Value> cutFirst(mlir::Value place, int64_t shift) {
    int64_t slope = windowed.slope(), divisor = windowed.divisor(),
            offset = windowed.offset() + windowed.rounding() + shift * slope,
            row = llvm::divideFloorSigned(offset, divisor);
    return {affine(place, slope / divisor, row),
            affine(place, slope % divisor, offset - row * divisor)};
  }

  /// Returns the first row that device `place + shift` needs.
  mlir::Value firstOf(mlir::Value place, int64_t shift) {
    auto [rowsBefore, rest] = cutFirst(place, shift);
    return positions.add(rowsBefore, positions.divide(rest, windowed.divisor()));
  }

  /// Returns how many places the device's stretch begins behind its first row.
  mlir::Value phase() {
    mlir::Value rest = cutFirst(coordinate(), 0).second;
    int64_t divisor = windowed.divisor();
    return positions.subtract(rest, positions.multiply(positions.divide(rest, divisor), divisor));
  }

  mlir::Value clamp(mlir::Value value, int64_t high) {
    return high == 0 ? mlir::Value()
                     : positions.minimum(positions.maximum(value, {}), positions.constant(high));
  }

  double bytesOfRow() {
    auto type = llvm::cast<mlir::RankedTensorType>(local.getType());
    return numElements(local) / static_cast<double>(type.getDimSize(rows.dim)) *
           elementBits(type.getElementType()) / 8;
  }

  int64_t blockRows() {
    return llvm::cast<mlir::RankedTensorType>(local.getType()).getDimSize(rows.dim);
  }

  /// Returns as many rows as the device needs, if those of all devices are alike; else null.
  mlir::Value rowsAlike() {
    auto type = llvm::cast<mlir::RankedTensorType>(local.getType());
    llvm::SmallVector<int64_t> shape(type.getShape());
    shape[rows.dim] = windowed.length();
    type = type.clone(shape);
    if (auto constant = local.getDefiningOp<stablehlo::ConstantOp>())
      if (auto splat = llvm::dyn_cast<mlir::SplatElementsAttr>(constant.getValue()))
        return stablehlo::ConstantOp::create(localizer.builder, local.getLoc(), type,
                                             splat.resizeSplat(type));
    auto broadcast = local.getDefiningOp<stablehlo::BroadcastInDimOp>();
    if (!broadcast || llvm::is_contained(broadcast.getBroadcastDimensions(), rows.dim))
      return {};
    return stablehlo::BroadcastInDimOp::create(localizer.builder, local.getLoc(), type,
                                               broadcast.getOperand(),
                                               broadcast.getBroadcastDimensions());
  }

  /// Returns the rows of all devices, if each has them already and only cut its own out of them;
  /// else null. A cut that begins further in front than the block holds no row that exists.
  mlir::Value wholeBehind() {
    auto cut = local.getDefiningOp<stablehlo::DynamicSliceOp>();
    if (!cut || !isAlikeEverywhere(cut.getOperand()))
      return {};
    mlir::Value whole = cut.getOperand(), from = cut.getStartIndices()[rows.dim];
    auto type = llvm::cast<mlir::RankedTensorType>(whole.getType());
    int64_t block = blockRows(), numRows = type.getDimSize(rows.dim);
    llvm::SmallVector<int64_t> shape(type.getShape());
    shape[rows.dim] = block;
    if (local.getType() != type.clone(shape) || numRows > block * windowed.shards)
      return {};
    mlir::Value first = positions.multiply(coordinate(), block);
    if (from != first && from != positions.minimum(first, positions.constant(numRows - block)))
      return {};
    return rows.pad(whole, 0, block * windowed.shards - numRows, 0, {});
  }

  mlir::Value gather() {
    auto type = llvm::cast<mlir::RankedTensorType>(local.getType());
    llvm::SmallVector<int64_t> shape(type.getShape());
    shape[rows.dim] *= windowed.shards;
    return localizer.collectives.allGather(localizer.builder, localizer.op->getLoc(),
                                           type.clone(shape), local, rows.dim,
                                           {&localizer.mesh, localizer.meshAttr, axes});
  }

  /// Returns the rows that the device needs of those of all devices.
  mlir::Value readFrom(mlir::Value whole) {
    int64_t numRows = blockRows() * windowed.shards;
    if (windowed.window.reversed)
      whole = rows.reverse(whole);
    int64_t low = 0, high = 0;
    for (int64_t i = 0; i < windowed.shards; ++i)
      if (auto [from, to] = windowed.existing(i); from < to) {
        low = std::max(low, -windowed.first(i));
        high = std::max(high, windowed.first(i) + windowed.length() - numRows);
      }
    mlir::Value place = affine(firstOf(coordinate(), 0), 1, low);
    return rows.slice(rows.pad(whole, low, high, 0, fill), place, windowed.length());
  }

  mlir::Value send(const HaloRound &round, mlir::Value strip) {
    if (round.distance == 0 && !windowed.window.reversed)
      return strip;
    return localizer.collectives.permute(localizer.builder, localizer.op->getLoc(), strip,
                                         pairsOf(windowed, round, localizer.mesh, axes));
  }

  mlir::Value ownBlock() { return windowed.window.reversed ? rows.reverse(local) : local; }

  /// All devices need the same rows of the frame: strips side by side are what is needed.
  mlir::Value joinStrips(const HaloPlan &plan) {
    mlir::Value block = ownBlock();
    llvm::SmallVector<mlir::Value> strips;
    for (const HaloRound &round : plan.rounds)
      if (round.width > 0)
        strips.push_back(send(round, rows.slice(block, round.from, round.width)));
    return rows.pad(rows.join(strips), plan.marginLow, plan.marginHigh, 0, fill);
  }

  /// Strips are put where they belong in a frame, of which each device takes what it needs: a frame
  /// of whole blocks, or, where that is shorter, of what is needed with room around it.
  /// Where one strip is all that each needs, there is none.
  mlir::Value placeStrips(const HaloPlan &plan) {
    if (needsOneStrip(plan))
      return chooseStrip(plan);
    int64_t size = windowed.block(), numRows = static_cast<int64_t>(plan.rounds.size()) * size +
                                               plan.marginLow + plan.marginHigh;
    auto [low, high] = roomFor(plan);
    if (low + windowed.length() + high < numRows)
      return placeInRoom(plan, low, high);
    llvm::SmallVector<mlir::Value> blocks;
    for (const HaloRound &round : plan.rounds) {
      if (round.width == 0) {
        blocks.push_back(rows.filled(local, size, {}));
        continue;
      }
      mlir::Value strip = sendPlaced(round);
      if (round.width < size)
        strip = rows.update(rows.filled(local, size, {}), strip, placeInBlock(round));
      blocks.push_back(strip);
    }
    mlir::Value frame = rows.pad(rows.join(blocks), plan.marginLow, plan.marginHigh, 0, fill);
    mlir::Value at = affine(placeBehind(plan.rounds.front().distance), 1, plan.marginLow);
    return rows.slice(frame, at, windowed.length());
  }

  /// Whether each device needs exactly one of the strips, all of it, and nothing else: each half of
  /// a block is a shard of the result, say.
  bool needsOneStrip(const HaloPlan &plan) const {
    return llvm::all_of(plan.rounds,
                        [&](const HaloRound &round) {
                          return round.width == 0 || round.width == windowed.length();
                        }) &&
           !isAnyMissing() && !anyDevice([&](int64_t i) {
             int64_t size = windowed.block();
             return windowed.count(i) > 0 && windowed.first(i) % size + windowed.length() > size;
           });
  }

  /// Takes the strip of the block in which the first row lies that the device needs.
  mlir::Value chooseStrip(const HaloPlan &plan) {
    mlir::Value found;
    for (const HaloRound &round : plan.rounds) { // Of blocks further and further behind.
      if (round.width == 0)
        continue;
      mlir::Value strip = sendPlaced(round);
      if (found)
        strip = rows.select(isNotNegative(placeBehind(round.distance)), strip, found);
      found = strip;
    }
    return found;
  }

  mlir::Value isNotNegative(mlir::Value place) {
    return stablehlo::CompareOp::create(
        localizer.builder, rows.loc, mlir::RankedTensorType::get({}, localizer.builder.getI1Type()),
        place ? place : positions.constant(0), positions.constant(0),
        stablehlo::ComparisonDirection::GE,
        stablehlo::ComparisonTypeAttr::get(localizer.builder.getContext(),
                                           stablehlo::ComparisonType::SIGNED));
  }

  /// Returns how many rows of a strip lie in front of what a device needs, and behind it, at most.
  /// One that lies there altogether fits in, too.
  std::pair<int64_t, int64_t> roomFor(const HaloPlan &plan) const {
    int64_t low = 0, high = 0, size = windowed.block();
    for (int64_t i = 0; i < windowed.shards; ++i)
      for (const HaloRound &round : plan.rounds) {
        int64_t behind = windowed.first(i) - (i + round.distance) * size,
                before = behind - std::clamp<int64_t>(behind, 0, size - round.width);
        low = std::max(low, std::min(round.width, before));
        high = std::max(high, std::min(round.width, round.width - before - windowed.length()));
      }
    return {low, high};
  }

  struct Placed {
    int64_t width;
    mlir::Value strip, at;
  };

  /// Puts strips, which do not overlap where anything of them is needed, into what the device needs
  /// with room around it. What is not needed comes to lie in the room: updates stay in bounds.
  mlir::Value placeInRoom(const HaloPlan &plan, int64_t low, int64_t high) {
    int64_t numRows = low + windowed.length() + high;
    llvm::SmallVector<Placed> placed; // All are sent before.
    for (const HaloRound &round : plan.rounds)
      if (round.width > 0) {
        mlir::Value before = positions.subtract(placeBehind(round.distance), placeInBlock(round));
        placed.push_back(
            {round.width, sendPlaced(round), positions.subtract(positions.constant(low), before)});
      }
    // The widest is cut out with zeros around it, so that no frame of zeros is held for it.
    llvm::stable_sort(placed, [](const Placed &a, const Placed &b) { return a.width > b.width; });
    auto [width, widest, at] = placed.front();
    int64_t around = numRows - width;
    mlir::Value frame = rows.slice(rows.pad(widest, around, around, 0, {}),
                                   positions.subtract(positions.constant(around), at), numRows);
    for (const Placed &next : llvm::drop_begin(placed))
      frame = rows.update(frame, next.strip, next.at);
    return rows.slice(frame, low, windowed.length());
  }

  /// Sends the rows that the receiver needs, or those next to them in the block.
  mlir::Value sendPlaced(const HaloRound &round) {
    // The sender knows its receiver, which knows its sender.
    int64_t size = windowed.block();
    mlir::Value sent = positions.subtract(firstOf(ownPlace(), -round.distance),
                                          positions.multiply(ownPlace(), size));
    return send(round, rows.slice(ownBlock(), clamp(sent, size - round.width), round.width));
  }

  /// Returns where in the sender's block the strip begins that the device gets.
  mlir::Value placeInBlock(const HaloRound &round) {
    return clamp(placeBehind(round.distance), windowed.block() - round.width);
  }

  /// Returns the first row that the device needs, counted from the block `distance` places further.
  mlir::Value placeBehind(int64_t distance) {
    mlir::Value first = firstOf(coordinate(), 0);
    mlir::Value start = affine(coordinate(), windowed.block(), distance * windowed.block());
    return positions.subtract(first, start);
  }

  bool isMissingLow(int64_t i) const {
    return windowed.count(i) > 0 && windowed.first(i) < windowed.begin();
  }
  bool isMissingHigh(int64_t i) const {
    return windowed.count(i) > 0 && windowed.first(i) + windowed.count(i) > windowed.end();
  }
  template <typename Test> bool anyDevice(Test test) const {
    for (int64_t i = 0; i < windowed.shards; ++i)
      if (test(i))
        return true;
    return false;
  }

  bool isAnyMissing() const {
    return anyDevice([&](int64_t i) { return isMissingLow(i) || isMissingHigh(i); });
  }

  /// What no device sends is zero already, but padding within blocks is not, nor what a device has
  /// of which no row exists.
  bool needsMask() const {
    auto isLost = [&](int64_t i) {
      auto [from, to] = windowed.existing(i);
      return windowed.count(i) > 0 && from >= to;
    };
    bool isZero = windowed.size % windowed.shards == 0 && fill &&
                  isFilledWith(fill, FillValue::zero) && !anyDevice(isLost);
    return fill && isAnyMissing() && !isZero;
  }

  mlir::Value mask(mlir::Value found) {
    mlir::Value first = firstOf(coordinate(), 0), mask;
    if (anyDevice([&](int64_t i) { return isMissingHigh(i); }))
      mask = rows.rowsBelow(found, positions.subtract(positions.constant(windowed.end()), first));
    if (anyDevice([&](int64_t i) { return isMissingLow(i); })) {
      mlir::Value from =
          rows.rowsFrom(found, positions.subtract(positions.constant(windowed.begin()), first));
      mask = mask ? rows.both(mask, from) : from;
    }
    return rows.select(mask, found, rows.filled(found, windowed.length(), fill));
  }

  Localizer &localizer;
  Positions &positions;
  mlir::Value local;
  absl::Span<const AxisRef> axes;
  const WindowedDim &windowed;
  mlir::Value fill;
  RowBuilder rows;
};

} // namespace

WindowRead readWindows(Localizer &localizer, mlir::Value local, int64_t dim,
                       absl::Span<const AxisRef> axes, const WindowedDim &windowed,
                       mlir::Value fill) {
  return HaloReader(localizer, local, dim, axes, windowed, fill).read();
}

mlir::Value readRows(Localizer &localizer, mlir::Value local, int64_t dim,
                     absl::Span<const AxisRef> axes, const WindowedDim &windowed,
                     mlir::Value fill) {
  return HaloReader(localizer, local, dim, axes, windowed, fill).readRows();
}

} // namespace spmd
