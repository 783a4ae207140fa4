#include "spmd/dialect/partitioning/algorithms/Indexed.h"

#include "spmd/dialect/partitioning/Families.h"
#include "spmd/dialect/partitioning/algorithms/Rows.h"
#include "spmd/dialect/stablehlo/Dialect.h"

namespace spmd {

using namespace stablehlo;

/// Returns a splat of `type` that holds `value`, or the value next to it that the type has.
static mlir::Value nearest(mlir::OpBuilder &builder, mlir::Location loc,
                           mlir::RankedTensorType type, int64_t value) {
  auto element = llvm::cast<mlir::IntegerType>(type.getElementType());
  unsigned width = element.getWidth();
  bool isUnsigned = element.isUnsigned() || width == 1;
  llvm::APInt lowest = isUnsigned ? llvm::APInt::getZero(65)
                                  : llvm::APInt::getSignedMinValue(width).sext(65),
              highest = (isUnsigned ? llvm::APInt::getMaxValue(width)
                                    : llvm::APInt::getSignedMaxValue(width))
                            .zext(65);
  llvm::APInt wide(65, static_cast<uint64_t>(value), /*isSigned=*/true);
  wide = llvm::APIntOps::smin(llvm::APIntOps::smax(wide, lowest), highest);
  return ConstantOp::create(builder, loc, mlir::DenseElementsAttr::get(type, wide.trunc(width)));
}

mlir::Value boundedIndex(mlir::OpBuilder &builder, mlir::Location loc, Positions &positions,
                         mlir::Value index, int64_t low, int64_t high) {
  auto type = llvm::cast<mlir::RankedTensorType>(index.getType());
  mlir::Value bounded = MaxOp::create(builder, loc, type, index, nearest(builder, loc, type, low));
  bounded = MinOp::create(builder, loc, type, bounded, nearest(builder, loc, type, high));
  mlir::RankedTensorType wanted = type.clone(positions.indexElement());
  return wanted == type ? bounded : ConvertOp::create(builder, loc, wanted, bounded)->getResult(0);
}

namespace {

/// Arithmetic on scalars that are known where an op stands, not at the top of the function.
struct Scalars {
  mlir::OpBuilder &builder;
  mlir::Location loc;

  mlir::Value add(mlir::Value a, mlir::Value b) {
    return AddOp::create(builder, loc, a.getType(), a, b);
  }
  mlir::Value subtract(mlir::Value a, mlir::Value b) {
    return SubtractOp::create(builder, loc, a.getType(), a, b);
  }
  mlir::Value clamp(Positions &positions, mlir::Value a, int64_t high) {
    a = MaxOp::create(builder, loc, a.getType(), a, positions.constant(0));
    return MinOp::create(builder, loc, a.getType(), a, positions.constant(high));
  }
};

} // namespace

RowsToPut placeRows(Localizer &localizer, mlir::Value local, const CutDim &cut, mlir::Value start,
                    int64_t numRows) {
  Positions &positions = localizer.positions;
  Scalars scalars{localizer.builder, localizer.op->getLoc()};
  int64_t held = shapeOf(local)[cut.dim];
  mlir::Value at = boundedIndex(localizer.builder, scalars.loc, positions, start, 0,
                                std::max<int64_t>(0, cut.size - numRows));
  if (mlir::Value first =
          positions.firstRow(localizer.mesh, {AxisList(cut.axes.begin(), cut.axes.end())}, held))
    at = scalars.subtract(at, first);
  RowsToPut place;
  place.numRows = std::min(numRows, held);
  place.at = scalars.clamp(positions, at, held - place.numRows);
  place.from = scalars.subtract(place.at, at);
  return place;
}

mlir::Value takeRows(Localizer &localizer, mlir::Value local, const CutDim &cut, mlir::Value start,
                     int64_t numRows) {
  Positions &positions = localizer.positions;
  Scalars scalars{localizer.builder, localizer.op->getLoc()};
  RowBuilder rows{localizer.builder, scalars.loc, positions, cut.dim};
  RowsToPut place = placeRows(localizer, local, cut, start, numRows);
  // Rows that the shard may have, between as many zeros as the whole could be away.
  mlir::Value held = rows.slice(local, place.at, place.numRows);
  mlir::Value padded = rows.pad(held, numRows, numRows, 0, {});
  return rows.slice(padded, scalars.subtract(positions.constant(numRows), place.from), numRows);
}

llvm::SmallVector<int64_t> indexDims(mlir::Value indices, int64_t indexVectorDim) {
  llvm::SmallVector<int64_t> dims;
  for (int64_t d = 0; d < static_cast<int64_t>(shapeOf(indices).size()); ++d)
    if (d != indexVectorDim)
      dims.push_back(d);
  return dims;
}

/// Returns `index`, a tensor, counted from the device's shard.
static mlir::Value countedFrom(Localizer &localizer, mlir::Value index,
                               const IndexComponent &component) {
  if (!component.first)
    return index;
  mlir::OpBuilder &builder = localizer.builder;
  mlir::Location loc = localizer.op->getLoc();
  auto type = llvm::cast<mlir::RankedTensorType>(index.getType());
  mlir::Value first =
      BroadcastInDimOp::create(builder, loc, type, component.first, llvm::ArrayRef<int64_t>{});
  return SubtractOp::create(builder, loc, type, index, first);
}

/// Returns `own`, or `fitting.elsewhere` where `index` is not in 0 .. last.
static mlir::Value sendElsewhere(Localizer &localizer, mlir::Value index, mlir::Value own,
                                 const IndexComponent::Fitting &fitting) {
  mlir::OpBuilder &builder = localizer.builder;
  mlir::Location loc = localizer.op->getLoc();
  auto type = llvm::cast<mlir::RankedTensorType>(index.getType());
  auto splat = [&](int64_t value) { return nearest(builder, loc, type, value); };
  mlir::Value inside = MinOp::create(builder, loc, type, index, splat(fitting.last));
  inside = MaxOp::create(builder, loc, type, inside, splat(0));
  mlir::Value fits = CompareOp::create(
      builder, loc, type.clone(builder.getI1Type()), index, inside, ComparisonDirection::EQ,
      ComparisonTypeAttr::get(builder.getContext(), ComparisonType::SIGNED));
  return SelectOp::create(builder, loc, type, fits, own, splat(fitting.elsewhere));
}

llvm::SmallVector<mlir::Value> localComponents(Localizer &localizer, mlir::Value indices,
                                               int64_t indexVectorDim,
                                               llvm::ArrayRef<IndexComponent> components) {
  mlir::OpBuilder &builder = localizer.builder;
  mlir::Location loc = localizer.op->getLoc();
  bool hasDim = indexVectorDim < static_cast<int64_t>(shapeOf(indices).size());
  RowBuilder rows{builder, loc, localizer.positions, hasDim ? indexVectorDim : 0};
  llvm::SmallVector<mlir::Value> local;
  for (auto [k, component] : llvm::enumerate(components)) {
    mlir::Value index = hasDim ? rows.slice(indices, static_cast<int64_t>(k), 1) : indices;
    index = boundedIndex(builder, loc, localizer.positions, index, component.low, component.high);
    mlir::Value own = countedFrom(localizer, index, component);
    if (component.fitting)
      own = sendElsewhere(localizer, index, own, *component.fitting);
    local.push_back(own);
  }
  return local;
}

} // namespace spmd
