// Rearrangement of tensors.

#include "spmd/dialect/stablehlo/Verify.h"

using namespace mlir;
using namespace spmd::stablehlo;

LogicalResult spmd::stablehlo::checkBroadcast(Operation *op, Dims dims) {
  Dims operand = shapeOf(op->getOperand(0)), result = shapeOf(op->getResult(0));
  // c1
  if (failed(checkElements(op, resultSubject(op, 0), operandSubject(op, 0))) ||
      // c2
      failed(checkCount(op, "broadcast_dimensions", dims.size(), operand.size(),
                        "operand 0 has rank")) ||
      // c3, c4
      failed(checkDims(op, "broadcast_dimensions", dims, result.size(), "result 0")))
    return failure();
  // c5
  for (size_t dim = 0; dim < operand.size(); ++dim)
    if (operand[dim] != 1 && !agree(operand[dim], result[dims[dim]]))
      return op->emitOpError() << "operand 0 has size " << operand[dim] << " in dim " << dim
                               << ", result 0 has size " << result[dims[dim]] << " in dim "
                               << dims[dim];
  // What is not 1 is not spread.
  SmallVector<int64_t> expected(result.size(), ShapedType::kDynamic);
  for (size_t dim = 0; dim < operand.size(); ++dim)
    if (operand[dim] != 1)
      expected[dims[dim]] = operand[dim];
  expectSizes(resultSubject(op, 0), expected);
  // c6
  return checkKeptQuantization(op, [&](int64_t dim) { return dims[dim]; });
}

LogicalResult BroadcastInDimOp::verify() {
  // broadcast_in_dim_c1 to c6
  return failure(failed(checkBroadcast(*this, getBroadcastDimensions())) ||
                 failed(checkStatic(*this)));
}

LogicalResult spmd::stablehlo::checkReshapedQuantization(Operation *op) {
  return checkKeptQuantization(op, [&](int64_t dim) {
    Dims from = shapeOf(op->getOperand(0)), to = shapeOf(op->getResult(0));
    auto product = [](Dims sizes) {
      Wide product = 1;
      for (int64_t size : sizes)
        product = std::min<Wide>(product * std::max<int64_t>(size, 0), INT64_MAX);
      return product;
    };
    for (int64_t candidate = 0; candidate < static_cast<int64_t>(to.size()); ++candidate)
      if (product(to.take_front(candidate)) == product(from.take_front(dim)) &&
          agree(to[candidate], from[dim]))
        return candidate;
    return int64_t{-1};
  });
}

/// A reshape of `count` elements says the size of the one dim of its result that is dynamic.
static void expectLastSize(const Subject &result, int64_t count) {
  SmallVector<int64_t> sizes(cast<ShapedType>(result.type).getShape());
  Wide known = 1;
  for (int64_t size : sizes)
    known = std::min<Wide>(known * (isDynamic(size) ? 1 : size), INT64_MAX);
  if (llvm::count(sizes, ShapedType::kDynamic) != 1 || known == 0 || isDynamic(count))
    return;
  *llvm::find(sizes, ShapedType::kDynamic) = count / static_cast<int64_t>(known);
  expectSizes(result, sizes);
}

LogicalResult ReshapeOp::verify() {
  Subject operand = operandSubject(*this, 0), result = resultSubject(*this, 0);
  // reshape_c1
  if (failed(checkElements(*this, result, operand)) || failed(checkStatic(*this)))
    return failure();
  // reshape_c2
  FailureOr<int64_t> before = numElements(*this, operand), after = numElements(*this, result);
  if (failed(before) || failed(after))
    return failure();
  if (!agree(*before, *after))
    return emitOpError() << "operand 0 has " << *before << " elements, result 0 has " << *after;
  expectLastSize(result, *before);
  // reshape_c3
  return checkReshapedQuantization(*this);
}

LogicalResult TransposeOp::verify() {
  Dims operand = shapeOf(getOperand()), permutation = getPermutation();
  // transpose_c1
  if (failed(checkElements(*this, resultSubject(*this, 0), operandSubject(*this, 0))) ||
      // transpose_c2
      failed(checkCount(*this, "permutation", permutation.size(), operand.size(),
                        "operand 0 has rank")) ||
      failed(checkDims(*this, "permutation", permutation, operand.size(), "operand 0")))
    return failure();
  // transpose_c3
  SmallVector<int64_t> expected;
  for (int64_t dim : permutation)
    expected.push_back(operand[dim]);
  if (failed(checkSizes(*this, resultSubject(*this, 0), expected)))
    return failure();
  // transpose_c4
  return checkKeptQuantization(*this, [&](int64_t dim) -> int64_t {
    return llvm::find(permutation, dim) - permutation.begin();
  });
}

LogicalResult ReverseOp::verify() {
  // reverse_c2, c3
  return checkDims(*this, "dimensions", getDimensions(), tensorType(getOperand()).getRank(),
                   "operand 0");
}

LogicalResult SliceOp::verify() {
  Dims operand = shapeOf(getOperand()), start = getStartIndices(), limit = getLimitIndices(),
       strides = getStrides();
  // slice_c1
  if (failed(checkElements(*this, resultSubject(*this, 0), operandSubject(*this, 0))) ||
      // slice_c2
      failed(
          checkCount(*this, "start_indices", start.size(), operand.size(), "operand 0 has rank")) ||
      failed(
          checkCount(*this, "limit_indices", limit.size(), operand.size(), "operand 0 has rank")) ||
      failed(checkCount(*this, "strides", strides.size(), operand.size(), "operand 0 has rank")) ||
      // slice_c4
      failed(checkAtLeast(*this, "strides", strides, 1)))
    return failure();
  SmallVector<int64_t> expected;
  for (size_t dim = 0; dim < operand.size(); ++dim) {
    // slice_c3
    if (start[dim] < 0 || start[dim] > limit[dim])
      return emitOpError() << "slice of dim " << dim << " runs from " << start[dim] << " to "
                           << limit[dim];
    if (!isDynamic(operand[dim]) && limit[dim] > operand[dim])
      return emitOpError() << "slice of dim " << dim << " runs to " << limit[dim]
                           << ", operand 0 has size " << operand[dim];
    // slice_c5; the difference fits, as both are at least 0
    int64_t length = limit[dim] - start[dim];
    expected.push_back(length / strides[dim] + (length % strides[dim] != 0));
  }
  return checkSizes(*this, resultSubject(*this, 0), expected);
}

LogicalResult ConcatenateOp::verify() {
  // concatenate_c3
  if (getInputs().empty())
    return emitOpError() << "has no operands";
  // concatenate_c4
  int64_t axis = getDimension();
  if (failed(checkDim(*this, "dimension", axis, tensorType(getInputs()[0]).getRank(), "operand 0")))
    return failure();
  Wide total = 0;
  bool isUnknown = false;
  SmallVector<int64_t> expected(shapeOf(getInputs()[0]));
  for (auto [i, input] : llvm::enumerate(getInputs())) {
    // concatenate_c1
    if (failed(checkElements(*this, operandSubject(*this, i), operandSubject(*this, 0))))
      return failure();
    // concatenate_c2
    Dims shape = shapeOf(input);
    if (shape.size() != expected.size())
      return emitOpError() << "operand " << i << " has rank " << shape.size()
                           << ", operand 0 has rank " << expected.size();
    for (size_t dim = 0; dim < shape.size(); ++dim) {
      if (static_cast<int64_t>(dim) == axis)
        continue;
      if (!agree(shape[dim], expected[dim]))
        return emitOpError() << "operand " << i << " has size " << shape[dim] << " in dim " << dim
                             << ", operand 0 has size " << expected[dim];
      if (isDynamic(expected[dim]))
        expected[dim] = shape[dim];
    }
    isUnknown |= isDynamic(shape[axis]);
    total += isDynamic(shape[axis]) ? 0 : shape[axis];
  }
  // concatenate_c5, c6
  FailureOr<int64_t> size = narrow(*this, "size of the result in dim " + Twine(axis), total);
  if (failed(size) ||
      failed(checkElements(*this, resultSubject(*this, 0), operandSubject(*this, 0))))
    return failure();
  expected[axis] = isUnknown ? ShapedType::kDynamic : *size;
  return checkSizes(*this, resultSubject(*this, 0), expected);
}

LogicalResult PadOp::verify() {
  Dims operand = shapeOf(getOperand()), low = getEdgePaddingLow(), high = getEdgePaddingHigh(),
       interior = getInteriorPadding();
  // pad_c1
  if (failed(checkElements(*this, operandSubject(*this, 1), operandSubject(*this, 0))) ||
      failed(checkElements(*this, resultSubject(*this, 0), operandSubject(*this, 0))))
    return failure();
  if (tensorType(getPaddingValue()).getRank() != 0)
    return emitOpError() << "operand 1 has rank " << tensorType(getPaddingValue()).getRank()
                         << ", expected 0";
  // pad_c2
  if (failed(checkCount(*this, "edge_padding_low", low.size(), operand.size(),
                        "operand 0 has rank")) ||
      failed(checkCount(*this, "edge_padding_high", high.size(), operand.size(),
                        "operand 0 has rank")) ||
      failed(checkCount(*this, "interior_padding", interior.size(), operand.size(),
                        "operand 0 has rank")) ||
      // pad_c3
      failed(checkAtLeast(*this, "interior_padding", interior, 0)))
    return failure();
  // pad_c4
  SmallVector<int64_t> expected;
  for (size_t dim = 0; dim < operand.size(); ++dim) {
    if (isDynamic(operand[dim])) {
      expected.push_back(ShapedType::kDynamic);
      continue;
    }
    Wide size = static_cast<Wide>(operand[dim]) + low[dim] + high[dim] +
                static_cast<Wide>(std::max<int64_t>(operand[dim] - 1, 0)) * interior[dim];
    FailureOr<int64_t> fits = narrow(*this, "padded size of dim " + Twine(dim), size);
    if (failed(fits))
      return failure();
    expected.push_back(*fits);
  }
  return checkSizes(*this, resultSubject(*this, 0), expected);
}

LogicalResult BroadcastOp::verify() {
  Dims sizes = getBroadcastSizes();
  if (failed(checkElements(*this, resultSubject(*this, 0), operandSubject(*this, 0))) ||
      failed(checkAtLeast(*this, "broadcast_sizes", sizes, 0)))
    return failure();
  SmallVector<int64_t> expected(sizes);
  llvm::append_range(expected, shapeOf(getOperand()));
  return checkSizes(*this, resultSubject(*this, 0), expected);
}
