// Builders that derive the result type.

#include "spmd/dialect/stablehlo/Dialect.h"

using namespace mlir;
using namespace spmd::stablehlo;

static RankedTensorType tensorTypeOf(Value value) {
  return cast<RankedTensorType>(value.getType());
}

void CompareOp::build(OpBuilder &builder, OperationState &state, Value lhs, Value rhs,
                      ComparisonDirection direction) {
  build(builder, state, tensorTypeOf(lhs).clone(builder.getI1Type()), lhs, rhs, direction,
        ComparisonTypeAttr());
}

void TransposeOp::build(OpBuilder &builder, OperationState &state, Value operand,
                        ArrayRef<int64_t> permutation) {
  RankedTensorType type = tensorTypeOf(operand);
  SmallVector<int64_t> shape;
  for (int64_t dim : permutation)
    shape.push_back(type.getDimSize(dim));
  build(builder, state, RankedTensorType::get(shape, type.getElementType()), operand, permutation);
}

void SliceOp::build(OpBuilder &builder, OperationState &state, Value operand,
                    ArrayRef<int64_t> start, ArrayRef<int64_t> limit, ArrayRef<int64_t> strides) {
  SmallVector<int64_t> shape;
  for (auto [from, to, step] : llvm::zip(start, limit, strides))
    shape.push_back((to - from + step - 1) / step);
  build(builder, state, RankedTensorType::get(shape, tensorTypeOf(operand).getElementType()),
        operand, start, limit, strides);
}

void PadOp::build(OpBuilder &builder, OperationState &state, Value operand, Value paddingValue,
                  ArrayRef<int64_t> low, ArrayRef<int64_t> high, ArrayRef<int64_t> interior) {
  RankedTensorType type = tensorTypeOf(operand);
  SmallVector<int64_t> shape;
  for (auto [size, before, after, between] : llvm::zip(type.getShape(), low, high, interior))
    shape.push_back(size + before + after + std::max<int64_t>(size - 1, 0) * between);
  build(builder, state, RankedTensorType::get(shape, type.getElementType()), operand, paddingValue,
        low, high, interior);
}

void DynamicSliceOp::build(OpBuilder &builder, OperationState &state, Value operand,
                           ValueRange startIndices, ArrayRef<int64_t> sliceSizes) {
  build(builder, state, RankedTensorType::get(sliceSizes, tensorTypeOf(operand).getElementType()),
        operand, startIndices, sliceSizes);
}
