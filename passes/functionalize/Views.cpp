#include "spmd/passes/functionalize/Views.h"

#include "spmd/dialect/partitioning/algorithms/Shards.h"
#include "spmd/dialect/stablehlo/Dialect.h"
#include "spmd/passes/functionalize/Picks.h"

namespace spmd {

ViewChain chainOf(mlir::Value shown) {
  ViewChain chain;
  while (auto view = shown.getDefiningOp<mlir::ViewLikeOpInterface>()) {
    chain.views.push_back(view);
    shown = view.getViewSource();
  }
  std::reverse(chain.views.begin(), chain.views.end());
  chain.buffer = shown;
  return chain;
}

mlir::Value bufferOf(mlir::Value shown) {
  while (auto view = shown.getDefiningOp<mlir::ViewLikeOpInterface>())
    shown = view.getViewSource();
  return shown;
}

mlir::Value constrain(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value tensor,
                      ValueSharding pin) {
  if (!pin || pinOf(tensor).attr == pin.attr)
    return tensor;
  return sdy::ShardingConstraintOp::create(builder, loc, tensor.getType(), tensor, pin.attr);
}

//===- What a view shows ---------------------------------------------------===//

static mlir::RankedTensorType shownType(mlir::Operation *view) {
  return llvm::cast<BufferType>(view->getResult(0).getType()).getTensor();
}

mlir::Value show(mlir::OpBuilder &builder, mlir::Location loc, mlir::Operation *view,
                 mlir::Value content) {
  mlir::RankedTensorType type = shownType(view);
  if (auto slice = llvm::dyn_cast<SliceViewOp>(view))
    return stablehlo::SliceOp::create(builder, loc, content, slice.getStartIndices(),
                                      slice.getLimitIndices(), slice.getStrides());
  if (auto transpose = llvm::dyn_cast<TransposeViewOp>(view))
    return stablehlo::TransposeOp::create(builder, loc, content, transpose.getPermutation());
  if (auto broadcast = llvm::dyn_cast<BroadcastViewOp>(view))
    return stablehlo::BroadcastInDimOp::create(builder, loc, type, content,
                                               broadcast.getBroadcastDimensions());
  if (llvm::isa<BitcastViewOp>(view))
    return stablehlo::BitcastConvertOp::create(builder, loc, type, content);
  if (auto slice = llvm::dyn_cast<DynamicSliceViewOp>(view))
    return stablehlo::DynamicSliceOp::create(builder, loc, content, slice.getStartIndices(),
                                             slice.getSliceSizes());
  if (std::optional<Picks> picks = picksOf(builder, loc, view))
    return gatherPicks(builder, loc, *picks, type, content);
  return stablehlo::ReshapeOp::create(builder, loc, type, content);
}

//===- What a store leaves -------------------------------------------------===//

/// `dynamic_update_slice` at constant places.
static mlir::Value storeContiguous(mlir::OpBuilder &builder, mlir::Location loc, SliceViewOp slice,
                                   mlir::Value shown, mlir::Value content) {
  auto indexType = mlir::RankedTensorType::get({}, builder.getI32Type());
  llvm::SmallDenseMap<int64_t, mlir::Value> constants;
  llvm::SmallVector<mlir::Value> starts;
  for (int64_t start : slice.getStartIndices()) {
    mlir::Value &constant = constants[start];
    if (!constant)
      constant = stablehlo::ConstantOp::create(
          builder, loc, mlir::DenseElementsAttr::get(indexType, static_cast<int32_t>(start)));
    starts.push_back(constant);
  }
  return stablehlo::DynamicUpdateSliceOp::create(builder, loc, content, shown, starts);
}

/// Spreads what is stored over the buffer's shape, and takes it where the view shows something.
static mlir::Value storeStrided(mlir::OpBuilder &builder, mlir::Location loc, SliceViewOp slice,
                                mlir::Value shown, mlir::Value content) {
  auto type = llvm::cast<mlir::RankedTensorType>(shown.getType());
  llvm::ArrayRef<int64_t> shape = llvm::cast<mlir::RankedTensorType>(content.getType()).getShape();
  llvm::SmallVector<int64_t> low(slice.getStartIndices()), high, interior;
  for (size_t d = 0; d < shape.size(); ++d) {
    int64_t stride = slice.getStrides()[d];
    interior.push_back(stride - 1);
    high.push_back(shape[d] - low[d] - ((type.getDimSize(d) - 1) * stride + 1));
  }
  auto spread = [&](mlir::Value value) -> mlir::Value {
    auto scalar =
        llvm::cast<mlir::RankedTensorType>(value.getType()).clone(llvm::ArrayRef<int64_t>());
    mlir::Value zero = fillConstant(builder, loc, scalar, FillValue::zero);
    return stablehlo::PadOp::create(builder, loc, value, zero, low, high, interior);
  };
  mlir::Value isShown = fillConstant(builder, loc, type.clone(builder.getI1Type()), FillValue::one);
  mlir::Value mask = spread(isShown);
  return stablehlo::SelectOp::create(builder, loc, mask, spread(shown), content);
}

static mlir::Value storeSlice(mlir::OpBuilder &builder, mlir::Location loc, SliceViewOp slice,
                              mlir::Value shown, llvm::function_ref<mlir::Value()> content) {
  if (slice.getResult().getType() == slice.getBuffer().getType())
    return shown; // All of it: a slice that takes as many as there are takes each.
  if (shownType(slice).getNumElements() == 0)
    return content();
  bool isContiguous =
      llvm::all_of(llvm::zip(slice.getStrides(), shownType(slice).getShape()),
                   [](auto dim) { return std::get<0>(dim) == 1 || std::get<1>(dim) == 1; });
  return isContiguous ? storeContiguous(builder, loc, slice, shown, content())
                      : storeStrided(builder, loc, slice, shown, content());
}

/// Of a broadcast that repeats nothing: puts the dims back in order, and drops those that are new.
static mlir::Value storeSpread(mlir::OpBuilder &builder, mlir::Location loc, BroadcastViewOp view,
                               mlir::Value shown, mlir::RankedTensorType source) {
  llvm::SmallVector<int64_t> order(view.getBroadcastDimensions());
  for (int64_t d = 0, rank = shownType(view).getRank(); d < rank; ++d)
    if (!llvm::is_contained(view.getBroadcastDimensions(), d))
      order.push_back(d);
  if (!llvm::is_sorted(order))
    shown = stablehlo::TransposeOp::create(builder, loc, shown, order);
  return stablehlo::ReshapeOp::create(builder, loc, source, shown);
}

mlir::Value storeThrough(mlir::OpBuilder &builder, mlir::Location loc, mlir::Operation *view,
                         mlir::Value shown, llvm::function_ref<mlir::Value()> content) {
  if (auto slice = llvm::dyn_cast<SliceViewOp>(view))
    return storeSlice(builder, loc, slice, shown, content);
  if (auto transpose = llvm::dyn_cast<TransposeViewOp>(view)) {
    llvm::SmallVector<int64_t> inverse(transpose.getPermutation().size());
    for (auto [to, from] : llvm::enumerate(transpose.getPermutation()))
      inverse[from] = to;
    return stablehlo::TransposeOp::create(builder, loc, shown, inverse);
  }
  auto source = llvm::cast<BufferType>(view->getOperand(0).getType()).getTensor();
  if (auto broadcast = llvm::dyn_cast<BroadcastViewOp>(view))
    return storeSpread(builder, loc, broadcast, shown, source);
  if (llvm::isa<BitcastViewOp>(view))
    return stablehlo::BitcastConvertOp::create(builder, loc, source, shown);
  if (auto slice = llvm::dyn_cast<DynamicSliceViewOp>(view))
    return source == shownType(view) ? shown // Wherever it starts, it is moved inside.
                                     : stablehlo::DynamicUpdateSliceOp::create(
                                           builder, loc, content(), shown, slice.getStartIndices());
  if (std::optional<Picks> picks = picksOf(builder, loc, view))
    return scatterPicks(builder, loc, *picks, shown, content());
  return stablehlo::ReshapeOp::create(builder, loc, source, shown);
}

} // namespace spmd
