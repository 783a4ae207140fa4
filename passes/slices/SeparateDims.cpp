// Dims that are merged for an op that takes fewer, and cut again behind it, stay apart where they
// were swapped before: what came first lies inside of the merged dim then. Some attention layers
// put tokens before the batch, and see both as one list of rows:
//
//     transpose [B, T, C] to [T, B, C], reshape to [TB, C], dot with [C, D], reshape to [T, B, D]
//
// becomes
//
//     transpose [B, T, C] to [T, B, C], dot with [C, D]
//
// Of a merged dim only the major part can be split: a batch that is split would be gathered. Sums
// over the merged dim, the gradients of weights, would be the same on all devices then, and are
// added up now. So this is done where less moves so.

#include "spmd/passes/slices/SeparateDims.h"
#include "spmd/passes/slices/MergedDims.h"

#include "llvm/ADT/SetVector.h"

namespace spmd {

using namespace stablehlo;

namespace {

class Separator {
public:
  Separator(mlir::ModuleOp module, const CutSizes &cut) : products(module, cut) {}

  void run() {
    for (mlir::Operation *end : products.ends()) {
      separateOperands(end);
      if (auto reshape = llvm::dyn_cast<ReshapeOp>(end))
        cut(reshape);
      else
        separate(end);
    }
    eraseReplaced();
  }

private:
  /// `reshape` takes the parts: what it cuts is apart.
  void cut(ReshapeOp reshape) {
    mlir::Value operand = separated(reshape.getOperand());
    reshape->setOperand(0, operand);
    if (operand.getType() != reshape.getType() || !reshape->getDiscardableAttrs().empty())
      return;
    reshape.getResult().replaceAllUsesWith(operand);
    left.insert(reshape);
  }

  //===- Ops on the parts --------------------------------------------------===//

  /// Replaces what leads to the operands of `end`, op by op: many layers may lie behind each other.
  void separateOperands(mlir::Operation *end) {
    llvm::SmallVector<mlir::Operation *> waiting = {end};
    while (!waiting.empty()) {
      mlir::Operation *op = waiting.back();
      size_t numWaiting = waiting.size();
      for (mlir::Value operand : op->getOperands()) {
        if (auto broadcast = operand.getDefiningOp<BroadcastInDimOp>())
          operand = broadcast.getOperand(); // It is made anew as `op` needs it.
        if (const MergedDims::Shown *known = products.shownBy(operand); known && !known->base)
          waiting.push_back(operand.getDefiningOp());
      }
      if (waiting.size() > numWaiting)
        continue;
      waiting.pop_back();
      if (op != end)
        separated(op->getResult(0));
    }
  }

  /// Returns what `value` shows, with all parts as dims.
  mlir::Value separated(mlir::Value value) {
    const MergedDims::Shown *known = products.shownBy(value);
    if (!known)
      return value;
    if (known->base)
      return known->base;
    if (auto reshape = value.getDefiningOp<ReshapeOp>()) {
      Ints sizes = flat(known->dims);
      mlir::OpBuilder builder(reshape);
      mlir::Value base = reshaped(builder, separated(reshape.getOperand()), sizes);
      left.insert(reshape);
      return products.shownBy(value)->base = base;
    }
    return separate(value.getDefiningOp());
  }

  mlir::Value reshaped(mlir::OpBuilder &builder, mlir::Value value, llvm::ArrayRef<int64_t> sizes) {
    if (typeOf(value).getShape() == sizes)
      return value;
    auto reshape = ReshapeOp::create(builder, value.getLoc(), typeOf(value).clone(sizes), value);
    left.insert(reshape);
    return reshape;
  }

  /// Replaces `op` by one on parts. Returns its result.
  mlir::Value separate(mlir::Operation *op) {
    mlir::Value result = op->getResult(0);
    mlir::Value base = build(op, products.dimsOf(result));
    mlir::OpBuilder builder(op);
    builder.setInsertionPointAfterValue(base);
    mlir::Value merged = reshaped(builder, base, typeOf(result).getShape());
    products.replace(result, merged, base);
    result.replaceAllUsesWith(merged);
    replaced.push_back(op);
    return base;
  }

  /// Returns the result of an op like `op` whose result has the parts of `dims` as dims.
  mlir::Value build(mlir::Operation *op, const Dims &dims) {
    if (auto dot = llvm::dyn_cast<DotGeneralOp>(op))
      return build(dot, dims);
    if (auto norm = llvm::dyn_cast<BatchNormInferenceOp>(op))
      return build(norm, dims);
    bool isOfElements = !llvm::isa<TransposeOp, ReduceOp, BroadcastInDimOp>(op);
    mlir::OpBuilder builder(op);
    llvm::SmallVector<mlir::Value> operands;
    for (mlir::Value operand : op->getOperands())
      operands.push_back(isOfElements ? spread(builder, operand, dims) : separated(operand));
    Dims from = products.dimsOf(op->getOperand(0));
    mlir::Operation *copy = builder.clone(*op);
    copy->setOperands(operands);
    mlir::Value result = copy->getResult(0);
    result.setType(typeOf(result).clone(flat(dims)));
    if (auto transpose = llvm::dyn_cast<TransposeOp>(copy))
      transpose.setPermutation(placesOf(transpose.getPermutation(), from));
    else if (auto reduce = llvm::dyn_cast<ReduceOp>(copy))
      reduce.setDimensions(placesOf(reduce.getDimensions(), from));
    else if (auto broadcast = llvm::dyn_cast<BroadcastInDimOp>(copy))
      broadcast.setBroadcastDimensions(placesOf(broadcast.getBroadcastDimensions(), dims));
    return result;
  }

  /// Returns the dims that the parts of the dims in `numbers` become.
  static Ints placesOf(llvm::ArrayRef<int64_t> numbers, const Dims &dims) {
    Ints first = places(dims), all;
    for (int64_t dim : numbers)
      appendPlaces(all, dims, first, dim);
    return all;
  }

  /// Returns `value`, an operand of an op of elements, with the parts of `dims` as dims.
  mlir::Value spread(mlir::OpBuilder &builder, mlir::Value value, const Dims &dims) {
    if (typeOf(value).getRank() == 0)
      return value;
    if (products.shownBy(value) && areAlike(products.dimsOf(value), dims))
      return separated(value);
    mlir::RankedTensorType type = typeOf(value).clone(flat(dims));
    mlir::Operation *maker = value.getDefiningOp();
    bool isPlain = maker && maker->getDiscardableAttrs().empty();
    if (auto constant = llvm::dyn_cast_if_present<ConstantOp>(maker); constant && isPlain)
      if (auto splat = llvm::dyn_cast<mlir::SplatElementsAttr>(constant.getValue()))
        return ConstantOp::create(builder, value.getLoc(), type, splat.resizeSplat(type));
    if (auto broadcast = llvm::dyn_cast_if_present<BroadcastInDimOp>(maker);
        broadcast && isPlain && canTakeParts(broadcast, dims))
      return BroadcastInDimOp::create(builder, value.getLoc(), type,
                                      separated(broadcast.getOperand()),
                                      placesOf(broadcast.getBroadcastDimensions(), dims));
    return reshaped(builder, separated(value), flat(dims));
  }

  /// Whether what `broadcast` repeats is in the parts of `dims`.
  bool canTakeParts(BroadcastInDimOp broadcast, const Dims &dims) const {
    return llvm::all_of(
        llvm::zip(products.dimsOf(broadcast.getOperand()), broadcast.getBroadcastDimensions()),
        [&](auto pair) {
          auto &[from, to] = pair;
          return (!from.isProduct() && !dims[to].isProduct()) || from.sizes == dims[to].sizes;
        });
  }

  /// A normalization has one dim of features: if its parts are apart, it is written out.
  mlir::Value build(BatchNormInferenceOp norm, const Dims &dims) {
    auto feature = static_cast<int64_t>(norm.getFeatureIndex());
    mlir::OpBuilder builder(norm);
    mlir::Value operand = spread(builder, norm.getOperand(), dims);
    llvm::SmallVector<mlir::Value> perFeature;
    for (mlir::Value value : norm->getOperands().drop_front())
      perFeature.push_back(spread(builder, value, {dims[feature]}));
    if (dims[feature].isProduct())
      return normalized(builder, norm, operand, perFeature, placesOf({feature}, dims));
    mlir::Operation *copy = builder.clone(*norm);
    copy->setOperands(0, 1, operand);
    copy->setOperands(1, perFeature.size(), perFeature);
    llvm::cast<BatchNormInferenceOp>(copy).setFeatureIndex(places(dims)[feature]);
    copy->getResult(0).setType(operand.getType());
    return copy->getResult(0);
  }

  /// Returns what `norm` makes of `operand`, whose features are in the dims `features`, as are
  /// those of its scale, offset, mean and variance.
  static mlir::Value normalized(mlir::OpBuilder &builder, BatchNormInferenceOp norm,
                                mlir::Value operand, llvm::ArrayRef<mlir::Value> perFeature,
                                llvm::ArrayRef<int64_t> features) {
    mlir::Location loc = norm.getLoc();
    auto along = [&](mlir::Value value) -> mlir::Value {
      return BroadcastInDimOp::create(builder, loc, operand.getType(), value, features);
    };
    mlir::RankedTensorType type = typeOf(perFeature.back());
    auto epsilon = mlir::FloatAttr::get(type.getElementType(), norm.getEpsilon().convertToDouble());
    mlir::Value guard =
        ConstantOp::create(builder, loc, mlir::DenseElementsAttr::get(type, epsilon.getValue()));
    guard = AddOp::create(builder, loc, perFeature.back(), guard);
    mlir::Value deviation = SqrtOp::create(builder, loc, guard);
    mlir::Value centred = SubtractOp::create(builder, loc, operand, along(perFeature[2]));
    mlir::Value unit = DivOp::create(builder, loc, centred, along(deviation));
    mlir::Value scaled = MulOp::create(builder, loc, along(perFeature[0]), unit);
    return AddOp::create(builder, loc, scaled, along(perFeature[1]));
  }

  mlir::Value build(DotGeneralOp dot, const Dims &dims) {
    DotDimensionNumbersAttr numbers = dot.getDotDimensionNumbers();
    Dims left = products.dimsOf(dot.getLhs()), right = products.dimsOf(dot.getRhs());
    auto merge = [&](llvm::ArrayRef<int64_t> lhs, llvm::ArrayRef<int64_t> rhs) {
      for (auto [l, r] : llvm::zip(lhs, rhs))
        if (left[l].sizes != right[r].sizes) {
          left[l].sizes = {left[l].size()};
          right[r].sizes = {right[r].size()};
        }
    };
    merge(numbers.getLhsBatchingDimensions(), numbers.getRhsBatchingDimensions());
    merge(numbers.getLhsContractingDimensions(), numbers.getRhsContractingDimensions());
    auto apart = DotDimensionNumbersAttr::get(
        dot.getContext(), placesOf(numbers.getLhsBatchingDimensions(), left),
        placesOf(numbers.getRhsBatchingDimensions(), right),
        placesOf(numbers.getLhsContractingDimensions(), left),
        placesOf(numbers.getRhsContractingDimensions(), right));
    mlir::Value lhs = separated(dot.getLhs()), rhs = separated(dot.getRhs());
    mlir::OpBuilder builder(dot);
    auto copy = llvm::cast<DotGeneralOp>(builder.clone(*dot));
    builder.setInsertionPoint(copy);
    copy->setOperands({reshaped(builder, lhs, flat(left)), reshaped(builder, rhs, flat(right))});
    copy.setDotDimensionNumbersAttr(apart);
    copy->getResult(0).setType(typeOf(dot.getResult()).clone(flat(dims)));
    return copy->getResult(0);
  }

  void eraseReplaced() {
    llvm::DenseSet<mlir::Operation *> gone(replaced.begin(), replaced.end());
    for (mlir::Operation *each : llvm::reverse(replaced)) {
      for (mlir::Value operand : each->getOperands())
        if (mlir::Operation *maker = operand.getDefiningOp();
            llvm::isa_and_present<ReshapeOp, BroadcastInDimOp, ConstantOp>(maker) &&
            !gone.contains(maker))
          left.insert(maker);
      each->erase();
    }
    for (mlir::Operation *each : llvm::reverse(left.getArrayRef()))
      if (each->use_empty() && each->getDiscardableAttrs().empty())
        each->erase();
  }

  MergedDims products;
  llvm::SetVector<mlir::Operation *> left; ///< In case that nobody uses them.
  std::vector<mlir::Operation *> replaced; ///< To be erased.
};

} // namespace

void separateDims(mlir::ModuleOp module, const CutSizes &cut) { Separator(module, cut).run(); }

} // namespace spmd
