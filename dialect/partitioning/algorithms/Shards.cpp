#include "spmd/dialect/partitioning/algorithms/Shards.h"

#include "spmd/dialect/partitioning/Localizer.h"
#include "spmd/dialect/stablehlo/Dialect.h"

#include "mlir/Dialect/Quant/IR/QuantTypes.h"
#include "mlir/IR/Matchers.h"

namespace spmd {

using namespace stablehlo;

static mlir::Attribute floatFill(mlir::FloatType type, FillValue fill) {
  const llvm::fltSemantics &semantics = type.getFloatSemantics();
  bool negative = fill == FillValue::lowest;
  switch (fill) {
  case FillValue::one:
    return mlir::FloatAttr::get(type, 1.0);
  case FillValue::lowest:
  case FillValue::highest:
    return mlir::FloatAttr::get(type, llvm::APFloat::semanticsHasInf(semantics)
                                          ? llvm::APFloat::getInf(semantics, negative)
                                          : llvm::APFloat::getLargest(semantics, negative));
  default:
    return mlir::FloatAttr::get(type, 0.0);
  }
}

/// `type` is of integers or `index`.
static mlir::Attribute integerFill(mlir::Type type, FillValue fill) {
  unsigned width =
      type.isIndex() ? mlir::IndexType::kInternalStorageBitWidth : type.getIntOrFloatBitWidth();
  bool isUnsigned = type.isUnsignedInteger() || width == 1;
  llvm::APInt value = llvm::APInt::getZero(width);
  if (fill == FillValue::one)
    value = llvm::APInt(width, 1);
  else if (fill == FillValue::allOnes)
    value = llvm::APInt::getAllOnes(width);
  else if (fill == FillValue::lowest)
    value = isUnsigned ? llvm::APInt::getZero(width) : llvm::APInt::getSignedMinValue(width);
  else if (fill == FillValue::highest)
    value = isUnsigned ? llvm::APInt::getAllOnes(width) : llvm::APInt::getSignedMaxValue(width);
  return mlir::IntegerAttr::get(type, value);
}

static mlir::DenseElementsAttr filled(mlir::RankedTensorType type, FillValue fill) {
  mlir::Type element = type.getElementType();
  if (auto complex = llvm::dyn_cast<mlir::ComplexType>(element)) {
    auto part = llvm::cast<mlir::FloatType>(complex.getElementType());
    auto real = llvm::cast<mlir::FloatAttr>(floatFill(part, fill)).getValue();
    auto zero = llvm::APFloat::getZero(part.getFloatSemantics());
    return mlir::DenseElementsAttr::get(type, std::complex<llvm::APFloat>(real, zero));
  }
  if (element.isIntOrIndex())
    return mlir::DenseElementsAttr::get(type, integerFill(element, fill));
  return mlir::DenseElementsAttr::get(type, floatFill(llvm::cast<mlir::FloatType>(element), fill));
}

/// The integers that quantized numbers are stored as: zero is the zero point.
static mlir::DenseElementsAttr
storedFill(mlir::RankedTensorType type, mlir::quant::UniformQuantizedType element, FillValue fill) {
  auto stored = llvm::cast<mlir::IntegerType>(element.getStorageType());
  int64_t value = fill == FillValue::lowest    ? element.getStorageTypeMin()
                  : fill == FillValue::highest ? element.getStorageTypeMax()
                                               : element.getZeroPoint();
  return mlir::DenseElementsAttr::get(type.clone(stored),
                                      llvm::APInt(stored.getWidth(), static_cast<uint64_t>(value),
                                                  /*isSigned=*/true,
                                                  /*implicitTrunc=*/true));
}

mlir::Value fillConstant(mlir::OpBuilder &builder, mlir::Location loc, mlir::RankedTensorType type,
                         FillValue fill) {
  if (auto quantized = llvm::dyn_cast<mlir::quant::UniformQuantizedType>(type.getElementType()))
    return ConstantOp::create(builder, loc, type, storedFill(type, quantized, fill));
  return ConstantOp::create(builder, loc, filled(type, fill));
}

bool isFilledWith(mlir::Value value, FillValue fill) {
  while (auto broadcast = value.getDefiningOp<BroadcastInDimOp>())
    value = broadcast.getOperand();
  mlir::DenseElementsAttr constant;
  return mlir::matchPattern(value, mlir::m_Constant(&constant)) && constant.isSplat() &&
         constant.getType() == value.getType() &&
         constant == filled(llvm::cast<mlir::RankedTensorType>(value.getType()), fill);
}

mlir::Value maskPadding(mlir::OpBuilder &builder, mlir::Location loc, Positions &positions,
                        const Mesh &mesh, mlir::Value local, const Sharding &sharding,
                        llvm::ArrayRef<int64_t> globalShape, llvm::ArrayRef<int64_t> dims,
                        FillValue fill) {
  auto type = llvm::cast<mlir::RankedTensorType>(local.getType());
  mlir::RankedTensorType indexType = type.clone(positions.indexElement());
  mlir::RankedTensorType maskType = type.clone(builder.getI1Type());
  mlir::Value mask;
  for (int64_t d : dims) {
    if (globalShape[d] % numShards(sharding.dims[d]) == 0)
      continue;
    // Row r of this shard is real where r < globalShape - firstRow.
    mlir::Value first = positions.firstRow(mesh, sharding.dims[d], type.getDimSize(d));
    mlir::Value limit = positions.subtract(positions.constant(globalShape[d]), first);
    mlir::Value row = IotaOp::create(builder, loc, indexType, static_cast<uint64_t>(d));
    mlir::Value limits =
        BroadcastInDimOp::create(builder, loc, indexType, limit, llvm::ArrayRef<int64_t>{});
    mlir::Value inside =
        CompareOp::create(builder, loc, maskType, row, limits, ComparisonDirection::LT,
                          ComparisonTypeAttr::get(builder.getContext(), ComparisonType::SIGNED));
    mask = mask ? AndOp::create(builder, loc, maskType, mask, inside) : inside;
  }
  if (!mask)
    return local;
  return SelectOp::create(builder, loc, type, mask, local, fillConstant(builder, loc, type, fill));
}

mlir::Value takeShard(mlir::OpBuilder &builder, mlir::Location loc, Positions &positions,
                      const Mesh &mesh, mlir::Value whole, const Sharding &sharding) {
  auto type = llvm::cast<mlir::RankedTensorType>(whole.getType());
  mlir::RankedTensorType local = localTypeOf(type, sharding);
  if (local == type)
    return whole;
  llvm::SmallVector<int64_t> zeros(type.getRank(), 0), high(type.getRank()),
      padded(type.getShape());
  llvm::SmallVector<mlir::Value> offsets;
  for (int64_t d = 0; d < type.getRank(); ++d) {
    padded[d] = local.getDimSize(d) * numShards(sharding.dims[d]);
    high[d] = padded[d] - type.getDimSize(d);
    mlir::Value first = positions.firstRow(mesh, sharding.dims[d], local.getDimSize(d));
    offsets.push_back(first ? first : positions.constant(0));
  }
  if (padded != type.getShape())
    whole = PadOp::create(
        builder, loc, type.clone(padded), whole,
        fillConstant(builder, loc, type.clone(llvm::ArrayRef<int64_t>{}), FillValue::zero), zeros,
        high, zeros);
  return DynamicSliceOp::create(builder, loc, local, whole, offsets, local.getShape());
}

} // namespace spmd
