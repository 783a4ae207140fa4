// The pass `spmd-update-in-place`: an update of a slice is computed where its elements lie.
//
//     x[1:3] *= 2        becomes        x = select(rows 1 to 3, x * 2, x)
//
// Along a dim that is split, a slice lies on few devices; to share the work on it, it would have to
// move there and back. Where x is split, its own share of the work is no larger.

#include "spmd/dialect/partitioning/Partitionable.h"
#include "spmd/dialect/partitioning/algorithms/Shards.h"
#include "spmd/dialect/sdy/Dialect.h"
#include "spmd/dialect/sdy/Replacing.h"
#include "spmd/dialect/spmd/ValueSharding.h"
#include "spmd/dialect/spmd/Walk.h"
#include "spmd/dialect/stablehlo/Dialect.h"
#include "spmd/ir/choose/Work.h"
#include "spmd/ir/sharding/Layout.h"
#include "spmd/passes/Passes.h"
#include "spmd/passes/functionalize/FormRotations.h"

#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"

namespace spmd {

#define GEN_PASS_DEF_UPDATEINPLACEPASS
#include "spmd/passes/Passes.h.inc"

namespace {

/// Of longer computations on a slice, nothing is repeated on the whole.
constexpr unsigned maxOps = 64;

/// The elements of a tensor that a slice takes.
struct SliceWindow {
  llvm::SmallVector<int64_t> starts, sizes, strides;

  bool operator==(const SliceWindow &other) const {
    return starts == other.starts && sizes == other.sizes && strides == other.strides;
  }

  static SliceWindow of(llvm::ArrayRef<int64_t> starts, llvm::ArrayRef<int64_t> sizes,
                        llvm::ArrayRef<int64_t> strides) {
    SliceWindow window{llvm::SmallVector<int64_t>(starts), llvm::SmallVector<int64_t>(sizes), {}};
    for (auto [size, stride] : llvm::zip(sizes, strides))
      window.strides.push_back(size == 1 ? 1 : stride); // One element has no next one.
    return window;
  }
};

llvm::ArrayRef<int64_t> shapeOf(mlir::Value value) {
  return llvm::cast<mlir::ShapedType>(value.getType()).getShape();
}

std::optional<SliceWindow> windowOf(stablehlo::DynamicUpdateSliceOp update) {
  llvm::ArrayRef<int64_t> sizes = shapeOf(update.getUpdate());
  llvm::SmallVector<int64_t> starts, strides(sizes.size(), 1);
  for (auto [d, value] : llvm::enumerate(update.getStartIndices())) {
    mlir::DenseIntElementsAttr start;
    if (!mlir::matchPattern(value, mlir::m_Constant(&start)) ||
        start.getElementType().getIntOrFloatBitWidth() > 64)
      return std::nullopt;
    int64_t last = shapeOf(update.getOperand())[d] - sizes[d];
    starts.push_back(std::clamp<int64_t>((*start.begin()).getSExtValue(), 0, last));
  }
  return SliceWindow::of(starts, sizes, strides);
}

/// Of a pad that spreads its operand over a larger tensor, and cuts nothing.
std::optional<SliceWindow> windowOf(stablehlo::PadOp pad) {
  llvm::SmallVector<int64_t> strides;
  for (auto [low, high, interior] :
       llvm::zip(pad.getEdgePaddingLow(), pad.getEdgePaddingHigh(), pad.getInteriorPadding())) {
    if (low < 0 || high < 0)
      return std::nullopt;
    strides.push_back(interior + 1);
  }
  return SliceWindow::of(pad.getEdgePaddingLow(), shapeOf(pad.getOperand()), strides);
}

/// Returns the tensor whose elements a splat or a broadcast scalar repeats; null for others.
mlir::Value repeatedBy(mlir::Value value) {
  auto broadcast = value.getDefiningOp<stablehlo::BroadcastInDimOp>();
  return broadcast && shapeOf(broadcast.getOperand()).empty() ? broadcast.getOperand()
                                                              : mlir::Value();
}

/// Whether the place of element `index`, counted row by row in `shape`, is in `window`.
bool contains(const SliceWindow &window, llvm::ArrayRef<int64_t> shape, int64_t index) {
  for (size_t d = shape.size(); d-- > 0; index /= shape[d]) {
    int64_t distance = index % shape[d] - window.starts[d];
    if (distance < 0 || distance % window.strides[d] != 0 ||
        distance / window.strides[d] >= window.sizes[d])
      return false;
  }
  return true;
}

/// Whether `mask` is true exactly in `window`: a pad of ones, or a constant.
bool isMaskOf(mlir::Value mask, const SliceWindow &window) {
  if (auto pad = mask.getDefiningOp<stablehlo::PadOp>()) {
    std::optional<SliceWindow> ones = windowOf(pad);
    return ones && *ones == window && isFilledWith(pad.getOperand(), FillValue::one) &&
           isFilledWith(pad.getPaddingValue(), FillValue::zero);
  }
  mlir::DenseElementsAttr constant;
  if (!mlir::matchPattern(mask, mlir::m_Constant(&constant)) || constant.isSplat())
    return false;
  for (auto [index, isIn] : llvm::enumerate(constant.getValues<bool>()))
    if (isIn != contains(window, shapeOf(mask), static_cast<int64_t>(index)))
      return false;
  return true;
}

/// An update of the elements of `target` in `window` by `update`.
struct Update {
  mlir::Operation *op;
  mlir::Value target, update, mask; ///< The mask is null if there is none yet.
  SliceWindow window;
};

/// Recognizes `dynamic_update_slice` at constant places, and the select of two pads that stands for
/// one with strides.
std::optional<Update> matchUpdate(mlir::Operation *op) {
  if (auto update = llvm::dyn_cast<stablehlo::DynamicUpdateSliceOp>(op)) {
    if (std::optional<SliceWindow> window = windowOf(update))
      return Update{op, update.getOperand(), update.getUpdate(), {}, *window};
    return std::nullopt;
  }
  auto select = llvm::dyn_cast<stablehlo::SelectOp>(op);
  auto spread = select ? select.getOnTrue().getDefiningOp<stablehlo::PadOp>() : nullptr;
  std::optional<SliceWindow> window = spread ? windowOf(spread) : std::nullopt;
  if (!window || !isMaskOf(select.getPred(), *window))
    return std::nullopt;
  return Update{op, select.getOnFalse(), spread.getOperand(), select.getPred(), *window};
}

bool liesAs(ValueSharding a, ValueSharding b) {
  return a && b && a.attr.getMeshOrRef() == b.attr.getMeshOrRef() &&
         llvm::equal(
             a.attr.getSpec().dims, b.attr.getSpec().dims,
             [](const DimSpec &one, const DimSpec &other) { return one.axes == other.axes; });
}

/// Whether the window leaves out elements along a dim that is split.
bool cutsSplitDim(const Update &update) {
  ValueSharding sharding = shardingOf(update.target);
  if (!sharding)
    return false;
  for (auto [d, dim] : llvm::enumerate(sharding.attr.getSpec().dims))
    if (!dim.axes.empty() && update.window.sizes[d] != shapeOf(update.target)[d])
      return true;
  return false;
}

/// Computes on whole tensors what an update computes on slices of them.
class Lifter {
public:
  Lifter(const Update &update, StrategyCache &strategies)
      : update(update), strategies(strategies), builder(update.op),
        sharding{shardingOf(update.target).attr, ShardingState::inferred} {}

  /// Returns whether the update can be computed on the whole. It has to read a slice, or to lie
  /// otherwise than the whole, which gains less: a device works on no more than the window then.
  bool canLift() {
    bool gains = readsSlice(update.update) || (liesElsewhere(update.update) && heldPerMoved() <= 1);
    return gains && !sdy::getCustomRule(update.op) && canLift(update.update);
  }

  void replace() {
    mlir::Value whole = lift(update.update);
    mlir::Value mask = update.mask ? update.mask : makeMask();
    auto select = stablehlo::SelectOp::create(builder, update.op->getLoc(), update.target.getType(),
                                              mask, whole, update.target);
    sdy::giveAttributes(select, update.op);
    update.op->getResult(0).replaceAllUsesWith(select.getResult());
    eraseUnused(update.op);
  }

private:
  enum class Leaf { none, slice, repeated, splat, spread };

  /// Returns whether `value` can be computed on the whole.
  bool canLift(mlir::Value value) {
    if (kindOf(value) != Leaf::none || !seen.insert(value).second)
      return true;
    mlir::Operation *op = value.getDefiningOp();
    return op && seen.size() <= maxOps && keepsPlaces(op) &&
           llvm::all_of(op->getOperands(), [&](mlir::Value each) { return canLift(each); });
  }

  /// Whether `value` is a slice of a whole, or made of one place by place.
  bool readsSlice(mlir::Value value) {
    auto [known, isNew] = reads.try_emplace(value, false);
    mlir::Operation *op = value.getDefiningOp();
    if (!isNew || !op)
      return known->second;
    bool found = isSliceOfWhole(op);
    if (!found && reads.size() <= maxOps && keepsPlaces(op))
      for (mlir::Value operand : op->getOperands())
        found |= readsSlice(operand);
    return reads[value] = found;
  }

  Leaf kindOf(mlir::Value value) {
    mlir::DenseElementsAttr constant;
    if (mlir::matchPattern(value, mlir::m_Constant(&constant)) && constant.isSplat())
      return Leaf::splat;
    if (repeatedBy(value))
      return Leaf::repeated;
    if (readsSlice(value))
      return isSliceOfWhole(value.getDefiningOp()) ? Leaf::slice : Leaf::none;
    return canSpread(value) ? Leaf::spread : Leaf::none;
  }

  /// Whether `op` takes the elements of the window from a tensor that lies as the target.
  bool isSliceOfWhole(mlir::Operation *op) const {
    auto slice = llvm::dyn_cast<stablehlo::SliceOp>(op);
    return slice && shapeOf(slice.getOperand()) == shapeOf(update.target) &&
           SliceWindow::of(slice.getStartIndices(), shapeOf(slice), slice.getStrides()) ==
               update.window &&
           liesAs(shardingOf(slice.getOperand()), shardingOf(update.target));
  }

  /// Whether `value` is split along a dim that the window cuts, or by axes that such dims of the
  /// target have: where it stays an update, all of it is brought to every device.
  bool liesElsewhere(mlir::Value value) const {
    ValueSharding own = shardingOf(value);
    if (!own || isOneRow())
      return false;
    llvm::SmallDenseSet<llvm::StringRef> ofCutDims;
    for (auto [d, dim] : llvm::enumerate(sharding.attr.getSpec().dims))
      for (const AxisSpec &axis : dim.axes)
        if (isCut(d))
          ofCutDims.insert(axis.name);
    for (auto [d, dim] : llvm::enumerate(own.attr.getSpec().dims))
      for (const AxisSpec &axis : dim.axes)
        if (update.window.sizes[d] > 1 && (isCut(d) || ofCutDims.contains(axis.name)))
          return true;
    return false;
  }

  bool isCut(size_t dim) const { return update.window.sizes[dim] != shapeOf(update.target)[dim]; }

  /// Whether the window has one row of every dim that it cuts.
  bool isOneRow() const {
    for (auto [d, size] : llvm::enumerate(update.window.sizes))
      if (isCut(d) && size != 1)
        return false;
    return true;
  }

  /// Returns how many elements of the target a device holds for each in the window.
  double heldPerMoved() const {
    double ratio = 1;
    for (auto [size, whole] : llvm::zip(update.window.sizes, shapeOf(update.target)))
      ratio *= static_cast<double>(whole) / static_cast<double>(size);
    mlir::FailureOr<Sharding> lies = sdy::resolve(update.op, sharding.attr);
    if (mlir::succeeded(lies))
      for (const DimSharding &dim : lies->dims)
        ratio /= static_cast<double>(numShards(dim));
    return ratio;
  }

  /// Whether `value` can stand at the window's places in a whole. What the whole has outside of the
  /// window is not selected: where the window has one row, that is repeated; else it is padded,
  /// which reads as much of memory as a device holds, and has to count less than to move a slice.
  bool canSpread(mlir::Value value) const {
    auto isLong = [](int64_t size) { return size != 1; };
    if (!llvm::equal(llvm::make_filter_range(shapeOf(value), isLong),
                     llvm::make_filter_range(update.window.sizes, isLong)))
      return false;
    if (isOneRow())
      return true;
    mlir::Type element = mlir::getElementTypeOrSelf(value.getType());
    bool hasZero = element.isIntOrFloat() || llvm::isa<mlir::ComplexType>(element);
    return hasZero && heldPerMoved() * WorkWeights().memoryByte <= 1;
  }

  /// Returns how the window's shape is split where `value` lies as it does.
  sdy::ShardingAttr shardingInWindow(mlir::Value value) const {
    ValueSharding own = shardingOf(value);
    if (!own || own.attr.getSpec().dims.empty()) // On one device there are none.
      return sdy::fullyOpen(sharding.attr.getMeshOrRef(), update.window.sizes.size());
    ShardingSpec spec;
    spec.dims.resize(update.window.sizes.size());
    size_t next = 0;
    llvm::ArrayRef<int64_t> shape = shapeOf(value);
    for (auto [d, size] : llvm::enumerate(update.window.sizes)) {
      if (size == 1)
        continue;
      while (shape[next] == 1)
        ++next;
      spec.dims[d] = own.attr.getSpec().dims[next++];
    }
    return sdy::ShardingAttr::get(builder.getContext(), own.attr.getMeshOrRef(), std::move(spec));
  }

  mlir::Value inWindowShape(mlir::Value value, sdy::ShardingAttr lies) {
    auto type = llvm::cast<mlir::RankedTensorType>(value.getType());
    auto window = stablehlo::ReshapeOp::create(
        builder, update.op->getLoc(), type.clone(llvm::ArrayRef(update.window.sizes)), value);
    setShardings(window, {{lies, ShardingState::inferred}});
    return window;
  }

  mlir::Value spread(mlir::Value value) {
    if (!isOneRow()) {
      if (shapeOf(value) != llvm::ArrayRef(update.window.sizes))
        value = inWindowShape(value, shardingInWindow(value));
      auto type = llvm::cast<mlir::RankedTensorType>(value.getType());
      return padded(value, constant(type.clone(llvm::ArrayRef<int64_t>()), FillValue::zero));
    }
    ShardingSpec spec = sharding.attr.getSpec();
    llvm::SmallVector<int64_t> dims;
    for (size_t d = 0; d < spec.dims.size(); ++d) {
      dims.push_back(static_cast<int64_t>(d));
      if (isCut(d))
        spec.dims[d].axes.clear();
    }
    auto lies =
        sdy::ShardingAttr::get(builder.getContext(), sharding.attr.getMeshOrRef(), std::move(spec));
    return make<stablehlo::BroadcastInDimOp>(wholeType(value), inWindowShape(value, lies),
                                             llvm::ArrayRef(dims));
  }

  /// Whether `op` leaves each element at its place, counted row by row.
  bool keepsPlaces(mlir::Operation *op) {
    return llvm::isa<stablehlo::ReshapeOp>(op) ||
           (op->getNumOperands() > 0 && isElementwise(op, strategies));
  }

  template <typename Op, typename... Arguments> mlir::Value make(Arguments... arguments) {
    auto op = Op::create(builder, update.op->getLoc(), arguments...);
    setShardings(op, {sharding});
    return op->getResult(0);
  }

  mlir::RankedTensorType wholeType(mlir::Value value) const {
    return llvm::cast<mlir::RankedTensorType>(value.getType()).clone(shapeOf(update.target));
  }

  mlir::Value lift(mlir::Value value) {
    if (mlir::Value known = lifted.lookup(value))
      return known;
    mlir::Value whole;
    switch (kindOf(value)) {
    case Leaf::slice:
      whole = value.getDefiningOp<stablehlo::SliceOp>().getOperand();
      break;
    case Leaf::repeated:
      whole = make<stablehlo::BroadcastInDimOp>(wholeType(value), repeatedBy(value),
                                                llvm::ArrayRef<int64_t>());
      break;
    case Leaf::splat: {
      mlir::DenseElementsAttr constant;
      mlir::matchPattern(value, mlir::m_Constant(&constant));
      whole = make<stablehlo::ConstantOp>(constant.resizeSplat(wholeType(value)));
      break;
    }
    case Leaf::spread:
      whole = spread(value);
      break;
    case Leaf::none: {
      if (auto reshape = value.getDefiningOp<stablehlo::ReshapeOp>()) {
        whole = lift(reshape.getOperand());
        break;
      }
      mlir::IRMapping operands;
      for (mlir::Value operand : value.getDefiningOp()->getOperands())
        operands.map(operand, lift(operand));
      mlir::Operation *clone = builder.clone(*value.getDefiningOp(), operands);
      clone->getResult(0).setType(wholeType(value));
      setShardings(clone, {sharding});
      whole = clone->getResult(0);
    }
    }
    return lifted[value] = whole;
  }

  mlir::Value constant(mlir::RankedTensorType type, FillValue fill) {
    mlir::Value value = fillConstant(builder, update.op->getLoc(), type, fill);
    setShardings(
        value.getDefiningOp(),
        {{sdy::fullyOpen(sharding.attr.getMeshOrRef(), type.getRank()), ShardingState::inferred}});
    return value;
  }

  /// Returns a whole with `inside` in the window.
  mlir::Value padded(mlir::Value inside, mlir::Value outside) {
    llvm::SmallVector<int64_t> high, interior;
    for (auto [d, start] : llvm::enumerate(update.window.starts)) {
      int64_t end = start + (update.window.sizes[d] - 1) * update.window.strides[d] + 1;
      high.push_back(shapeOf(update.target)[d] - end);
      interior.push_back(update.window.strides[d] - 1);
    }
    return make<stablehlo::PadOp>(inside, outside, llvm::ArrayRef(update.window.starts),
                                  llvm::ArrayRef(high), llvm::ArrayRef(interior));
  }

  mlir::Value makeMask() {
    auto type = mlir::RankedTensorType::get(update.window.sizes, builder.getI1Type());
    return padded(constant(type, FillValue::one),
                  constant(type.clone(llvm::ArrayRef<int64_t>()), FillValue::zero));
  }

  const Update &update;
  StrategyCache &strategies;
  mlir::OpBuilder builder;
  ValueSharding sharding;
  llvm::SmallDenseSet<mlir::Value> seen;
  llvm::DenseMap<mlir::Value, bool> reads;
  llvm::DenseMap<mlir::Value, mlir::Value> lifted;
};

struct UpdateInPlacePass : impl::UpdateInPlacePassBase<UpdateInPlacePass> {
  void getDependentDialects(mlir::DialectRegistry &registry) const override {
    UpdateInPlacePassBase::getDependentDialects(registry);
    registry.insert<SpmdDialect>();
  }
  void runOnOperation() override {
    formRotations(getOperation());
    auto strategies = std::make_unique<StrategyCache>();
    std::vector<mlir::Operation *> candidates;
    forEachOp(getOperation(), [&](mlir::Operation *op) {
      if (llvm::isa<stablehlo::DynamicUpdateSliceOp, stablehlo::SelectOp>(op))
        candidates.push_back(op);
    });
    for (mlir::Operation *op : candidates) {
      std::optional<Update> update = matchUpdate(op);
      if (!update || !llvm::cast<mlir::ShapedType>(update->target.getType()).hasStaticShape() ||
          llvm::is_contained(update->window.sizes, 0) || !cutsSplitDim(*update))
        continue;
      Lifter lifter(*update, *strategies);
      if (!lifter.canLift())
        continue;
      lifter.replace();
      strategies = std::make_unique<StrategyCache>(); // It refers to ops that are erased by now.
    }
  }
};

} // namespace
} // namespace spmd
