// The ops, and the checks of views.

#include "spmd/dialect/spmd/Dialect.h"
#include "spmd/dialect/stablehlo/Syntax.h"

#include "llvm/ADT/SmallBitVector.h"

namespace spmd {
using stablehlo::parseSliceRanges;
using stablehlo::printSliceRanges;
} // namespace spmd

#define GET_OP_CLASSES
#include "spmd/dialect/spmd/Ops.cpp.inc"

using namespace mlir;
using namespace spmd;

/// Checks that a view shows elements of its operand's type, in the shape that its attributes say.
static LogicalResult verifyShape(Operation *view, ArrayRef<int64_t> expected) {
  auto from = cast<BufferType>(view->getOperand(0).getType()),
       to = cast<BufferType>(view->getResult(0).getType());
  BufferType type = BufferType::get(from.getTensor().clone(expected));
  if (to == type)
    return success();
  return view->emitOpError() << "has result type " << to << "; expected " << type;
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
    sizes.push_back((limit - start + stride - 1) / stride);
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
