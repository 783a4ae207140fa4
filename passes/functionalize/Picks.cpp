#include "spmd/passes/functionalize/Picks.h"

#include "spmd/dialect/stablehlo/Dialect.h"

namespace spmd {

static Picks picksOfIndices(IndexViewOp view) {
  auto indices = llvm::cast<mlir::RankedTensorType>(view.getIndices().getType());
  auto dim = static_cast<int64_t>(view.getDim());
  Picks picks{view.getIndices(), indices.getRank(), {dim}, {}, {}, /*areDistinct=*/false};
  for (int64_t d = 0, rank = view.getResult().getType().getTensor().getRank(); d < rank; ++d)
    if (d < dim || d >= dim + indices.getRank())
      picks.windows.push_back(d);
  return picks;
}

/// Element i of the diagonal lies i behind its first element, in both dims.
static Picks picksOfDiagonal(mlir::OpBuilder &builder, mlir::Location loc, DiagonalViewOp view) {
  int64_t length = view.getResult().getType().getShape().back(), offset = view.getOffset();
  int64_t last = view.getResult().getType().getTensor().getRank() - 1;
  auto type = mlir::RankedTensorType::get({length, 2}, builder.getI64Type());
  mlir::Value places = stablehlo::IotaOp::create(builder, loc, type, builder.getI64IntegerAttr(0));
  if (offset != 0) {
    auto starts = mlir::DenseElementsAttr::get(
        mlir::RankedTensorType::get({2}, builder.getI64Type()),
        llvm::ArrayRef<int64_t>({std::max<int64_t>(0, -offset), std::max<int64_t>(0, offset)}));
    mlir::Value first = stablehlo::ConstantOp::create(builder, loc, starts);
    first = stablehlo::BroadcastInDimOp::create(builder, loc, type, first,
                                                llvm::ArrayRef<int64_t>({1}));
    places = stablehlo::AddOp::create(builder, loc, type, places, first);
  }
  Picks picks{places, 1, llvm::SmallVector<int64_t, 2>(view.getDims()), {}, {}, true};
  for (int64_t d = 0; d < last; ++d)
    picks.windows.push_back(d);
  return picks;
}

std::optional<Picks> picksOf(mlir::OpBuilder &builder, mlir::Location loc, mlir::Operation *view) {
  std::optional<Picks> picks;
  if (auto indexed = llvm::dyn_cast<IndexViewOp>(view))
    picks = picksOfIndices(indexed);
  else if (auto diagonal = llvm::dyn_cast<DiagonalViewOp>(view))
    picks = picksOfDiagonal(builder, loc, diagonal);
  if (picks)
    picks->shape.assign(llvm::cast<BufferType>(view->getOperand(0).getType()).getShape());
  return picks;
}

static llvm::SmallVector<int64_t> sorted(llvm::ArrayRef<int64_t> dims) {
  llvm::SmallVector<int64_t> result(dims);
  llvm::sort(result);
  return result;
}

mlir::Value gatherPicks(mlir::OpBuilder &builder, mlir::Location loc, const Picks &picks,
                        mlir::RankedTensorType type, mlir::Value content) {
  auto numbers = stablehlo::GatherDimensionNumbersAttr::get(builder.getContext(), picks.windows,
                                                            sorted(picks.dims), {}, {}, picks.dims,
                                                            picks.indexVectorDim);
  llvm::SmallVector<int64_t> sizes = picks.shape;
  for (int64_t dim : picks.dims)
    sizes[dim] = 1;
  return stablehlo::GatherOp::create(builder, loc, type, content, picks.places, numbers,
                                     builder.getDenseI64ArrayAttr(sizes),
                                     builder.getBoolAttr(false));
}

mlir::Value scatterPicks(mlir::OpBuilder &builder, mlir::Location loc, const Picks &picks,
                         mlir::Value shown, mlir::Value content) {
  auto numbers = stablehlo::ScatterDimensionNumbersAttr::get(builder.getContext(), picks.windows,
                                                             sorted(picks.dims), {}, {}, picks.dims,
                                                             picks.indexVectorDim);
  auto scatter = stablehlo::ScatterOp::create(
      builder, loc, content.getType(), mlir::ValueRange(content), picks.places,
      mlir::ValueRange(shown), numbers, builder.getBoolAttr(false),
      builder.getBoolAttr(picks.areDistinct));
  auto scalar =
      llvm::cast<mlir::RankedTensorType>(content.getType()).clone(llvm::ArrayRef<int64_t>());
  mlir::OpBuilder::InsertionGuard guard(builder);
  mlir::Block *body =
      builder.createBlock(&scatter.getUpdateComputation(), {}, {scalar, scalar}, {loc, loc});
  stablehlo::ReturnOp::create(builder, loc, mlir::ValueRange(body->getArgument(1)));
  return scatter->getResult(0);
}

} // namespace spmd
