// The ops, and the checks of views.

#include "spmd/dialect/spmd/Dialect.h"
#include "spmd/dialect/stablehlo/Syntax.h"

#include "llvm/ADT/SmallBitVector.h"

namespace spmd {
using stablehlo::parseOperandsWithCommas;
using stablehlo::parseSliceRanges;
using stablehlo::printOperandsWithCommas;
using stablehlo::printSliceRanges;
} // namespace spmd

#define GET_OP_CLASSES
#include "spmd/dialect/spmd/Ops.cpp.inc"

using namespace mlir;
using namespace spmd;

static LogicalResult verifyType(Operation *view, RankedTensorType expected) {
  auto to = cast<BufferType>(view->getResult(0).getType());
  BufferType type = BufferType::get(expected);
  if (to == type)
    return success();
  return view->emitOpError() << "has result type " << to << "; expected " << type;
}

/// Checks that a view shows elements of its operand's type, in the shape that its attributes say.
static LogicalResult verifyShape(Operation *view, ArrayRef<int64_t> expected) {
  auto from = cast<BufferType>(view->getOperand(0).getType());
  return verifyType(view, from.getTensor().clone(expected));
}

LogicalResult SliceViewOp::verify() {
  ArrayRef<int64_t> shape = getBuffer().getType().getShape();
  size_t rank = shape.size();
  if (getStartIndices().size() != rank || getLimitIndices().size() != rank ||
      getStrides().size() != rank)
    return emitOpError() << "has " << getStartIndices().size() << " ranges for " << rank << " dims";
  SmallVector<int64_t> sizes;
  for (size_t d = 0; d < rank; ++d) {
    int64_t start = getStartIndices()[d], limit = getLimitIndices()[d], stride = getStrides()[d];
    if (start < 0 || limit < start || shape[d] < limit || stride <= 0)
      return emitOpError() << "range " << start << ":" << limit << ":" << stride << " of dim " << d
                           << " is no part of its size " << shape[d];
    sizes.push_back((limit - start) / stride + ((limit - start) % stride != 0));
  }
  return verifyShape(*this, sizes);
}

LogicalResult TransposeViewOp::verify() {
  ArrayRef<int64_t> shape = getBuffer().getType().getShape(), dims = getPermutation();
  llvm::SmallBitVector seen(shape.size());
  for (int64_t dim : dims)
    if (dim >= 0 && dim < static_cast<int64_t>(shape.size()))
      seen.set(dim);
  if (!seen.all() || dims.size() != shape.size())
    return emitOpError() << "dims [" << dims << "] are no permutation of the operand's "
                         << shape.size() << " dims";
  SmallVector<int64_t> sizes;
  for (int64_t dim : dims)
    sizes.push_back(shape[dim]);
  return verifyShape(*this, sizes);
}

LogicalResult ReshapeViewOp::verify() {
  BufferType from = getBuffer().getType(), to = getResult().getType();
  int64_t numBefore = from.getTensor().getNumElements(), numAfter = to.getTensor().getNumElements();
  if (numBefore != numAfter)
    return emitOpError() << "shows " << numBefore << " elements as " << numAfter;
  return verifyShape(*this, to.getShape());
}

//===- Views that repeat, reinterpret or pick elements ---------------------===//

LogicalResult BroadcastViewOp::verify() {
  ArrayRef<int64_t> from = getBuffer().getType().getShape(), to = getResult().getType().getShape(),
                    dims = getBroadcastDimensions();
  if (dims.size() != from.size())
    return emitOpError() << "has " << dims.size() << " dims for an operand of " << from.size();
  llvm::SmallBitVector seen(to.size());
  for (auto [size, dim] : llvm::zip(from, dims)) {
    if (dim < 0 || dim >= static_cast<int64_t>(to.size()) || seen.test(dim))
      return emitOpError() << "dims [" << dims << "] do not name one of the result's " << to.size()
                           << " dims each";
    seen.set(dim);
    if (size != 1 && size != to[dim])
      return emitOpError() << "shows " << size << " elements as dim " << dim << " of size "
                           << to[dim];
  }
  return verifyShape(*this, to);
}

bool BroadcastViewOp::repeats() {
  return getResult().getType().getTensor().getNumElements() >
         getBuffer().getType().getTensor().getNumElements();
}

/// Returns the bits of an element, or 0 if it has no known number of them.
static int64_t bitsOf(Type type) {
  if (auto complex = dyn_cast<ComplexType>(type))
    return 2 * bitsOf(complex.getElementType());
  return type.isIntOrFloat() ? type.getIntOrFloatBitWidth() : 0;
}

LogicalResult BitcastViewOp::verify() {
  RankedTensorType from = getBuffer().getType().getTensor(), to = getResult().getType().getTensor();
  int64_t before = bitsOf(from.getElementType()), after = bitsOf(to.getElementType());
  if (before == 0 || after == 0 || std::max(before, after) % std::min(before, after) != 0)
    return emitOpError() << "shows elements of " << before << " bits as elements of " << after;
  SmallVector<int64_t> sizes(from.getShape());
  if (before > after) {
    sizes.push_back(before / after);
  } else if (before < after) {
    if (sizes.empty() || sizes.back() != after / before)
      return emitOpError() << "makes elements of " << after << " bits of the last dim of " << from
                           << "; expected it to be of size " << after / before;
    sizes.pop_back();
  }
  return verifyType(*this, RankedTensorType::get(sizes, to.getElementType()));
}

LogicalResult DiagonalViewOp::verify() {
  ArrayRef<int64_t> shape = getBuffer().getType().getShape(), dims = getDims();
  auto rank = static_cast<int64_t>(shape.size());
  if (dims.size() != 2 || dims[0] == dims[1] ||
      llvm::any_of(dims, [&](int64_t dim) { return dim < 0 || dim >= rank; }))
    return emitOpError() << "dims [" << dims << "] are no two of the operand's " << rank << " dims";
  int64_t row = shape[dims[0]], column = shape[dims[1]], offset = getOffset();
  if (offset >= column || offset <= -row)
    return emitOpError() << "offset " << offset << " is outside of dims of sizes " << row << " and "
                         << column;
  SmallVector<int64_t> sizes;
  for (int64_t d = 0; d < rank; ++d)
    if (!is_contained(dims, d))
      sizes.push_back(shape[d]);
  sizes.push_back(
      std::min(row + std::min<int64_t>(offset, 0), column - std::max<int64_t>(offset, 0)));
  return verifyShape(*this, sizes);
}

LogicalResult DynamicSliceViewOp::verify() {
  ArrayRef<int64_t> shape = getBuffer().getType().getShape(), sizes = getSliceSizes();
  if (getStartIndices().size() != shape.size() || sizes.size() != shape.size())
    return emitOpError() << "has " << getStartIndices().size() << " starts and " << sizes.size()
                         << " sizes for " << shape.size() << " dims";
  if (!llvm::all_equal(getStartIndices().getTypes()))
    return emitOpError() << "has starts of several types";
  for (auto [d, size] : llvm::enumerate(sizes))
    if (size < 0 || size > shape[d])
      return emitOpError() << "size " << size << " of dim " << d << " is no part of its size "
                           << shape[d];
  return verifyShape(*this, sizes);
}

LogicalResult IndexViewOp::verify() {
  ArrayRef<int64_t> shape = getBuffer().getType().getShape();
  auto indices = cast<RankedTensorType>(getIndices().getType());
  auto dim = static_cast<int64_t>(getDim());
  if (dim < 0 || dim >= static_cast<int64_t>(shape.size()) || shape[dim] == 0)
    return emitOpError() << "dim " << dim << " is none of " << getBuffer().getType()
                         << " with elements";
  if (!indices.hasStaticShape())
    return emitOpError() << "has indices of dynamic shape, " << indices;
  SmallVector<int64_t> sizes(shape.take_front(dim));
  append_range(sizes, indices.getShape());
  append_range(sizes, shape.drop_front(dim + 1));
  return verifyShape(*this, sizes);
}
