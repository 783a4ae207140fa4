#include "spmd/dialect/partitioning/algorithms/Words.h"

#include "spmd/dialect/stablehlo/Dialect.h"

namespace spmd {

using namespace stablehlo;

mlir::RankedTensorType WordBuilder::typeOf(mlir::Value value) {
  return llvm::cast<mlir::RankedTensorType>(value.getType());
}

mlir::Value WordBuilder::constant(mlir::Value like, uint64_t value) {
  unsigned width = typeOf(like).getElementType().getIntOrFloatBitWidth();
  return ConstantOp::create(builder, loc,
                            mlir::DenseElementsAttr::get(typeOf(like), llvm::APInt(width, value)));
}

mlir::Value WordBuilder::add(mlir::Value a, mlir::Value b) {
  return AddOp::create(builder, loc, a.getType(), a, b);
}

mlir::Value WordBuilder::multiply(mlir::Value a, uint64_t b) {
  return b == 1 ? a : MulOp::create(builder, loc, a.getType(), a, constant(a, b))->getResult(0);
}

mlir::Value WordBuilder::exclusiveOr(mlir::Value a, mlir::Value b) {
  return XorOp::create(builder, loc, a.getType(), a, b);
}

mlir::Value WordBuilder::inclusiveOr(mlir::Value a, mlir::Value b) {
  return OrOp::create(builder, loc, a.getType(), a, b);
}

mlir::Value WordBuilder::mask(mlir::Value a, uint64_t bits) {
  return AndOp::create(builder, loc, a.getType(), a, constant(a, bits));
}

mlir::Value WordBuilder::shiftLeft(mlir::Value a, int bits) {
  return ShiftLeftOp::create(builder, loc, a.getType(), a, constant(a, bits));
}

mlir::Value WordBuilder::shiftRight(mlir::Value a, int bits) {
  return ShiftRightLogicalOp::create(builder, loc, a.getType(), a, constant(a, bits));
}

mlir::Value WordBuilder::rotate(mlir::Value a, int bits) {
  int width = static_cast<int>(typeOf(a).getElementType().getIntOrFloatBitWidth());
  return inclusiveOr(shiftLeft(a, bits), shiftRight(a, width - bits));
}

static mlir::Value compare(WordBuilder &words, mlir::Value a, mlir::Value b,
                           ComparisonDirection direction) {
  return CompareOp::create(
      words.builder, words.loc, words.typeOf(a).clone(words.builder.getI1Type()), a, b, direction,
      ComparisonTypeAttr::get(words.builder.getContext(), ComparisonType::UNSIGNED));
}

mlir::Value WordBuilder::isBelow(mlir::Value a, mlir::Value b) {
  return compare(*this, a, b, ComparisonDirection::LT);
}

mlir::Value WordBuilder::isEqual(mlir::Value a, uint64_t b) {
  return compare(*this, a, constant(a, b), ComparisonDirection::EQ);
}

mlir::Value WordBuilder::toWidth(mlir::Value a, unsigned width) {
  mlir::RankedTensorType type = typeOf(a).clone(mlir::IntegerType::get(
      builder.getContext(), width, mlir::IntegerType::SignednessSemantics::Unsigned));
  return type == a.getType() ? a : ConvertOp::create(builder, loc, type, a)->getResult(0);
}

std::pair<mlir::Value, mlir::Value> WordBuilder::halves(mlir::Value word) {
  return {toWidth(mask(word, 0xffffffff), 32), toWidth(shiftRight(word, 32), 32)};
}

mlir::Value WordBuilder::join(mlir::Value low, mlir::Value high) {
  return inclusiveOr(toWidth(low, 64), shiftLeft(toWidth(high, 64), 32));
}

mlir::Value WordBuilder::spread(mlir::Value scalar, llvm::ArrayRef<int64_t> shape) {
  return BroadcastInDimOp::create(builder, loc, typeOf(scalar).clone(shape), scalar,
                                  llvm::ArrayRef<int64_t>{});
}

mlir::Value WordBuilder::reshape(mlir::Value value, llvm::ArrayRef<int64_t> shape) {
  if (typeOf(value).getShape() == shape)
    return value;
  return ReshapeOp::create(builder, loc, typeOf(value).clone(shape), value);
}

} // namespace spmd
