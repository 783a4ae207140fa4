// Constraints of elementwise and broadcasting ops.

#include "spmd/dialect/chlo/Dialect.h"
#include "spmd/dialect/stablehlo/Verify.h"

using namespace mlir;
using namespace spmd::chlo;
using namespace spmd::stablehlo;

//===- Broadcasting --------------------------------------------------------===//

static std::optional<Dims> givenDims(Operation *op) {
  auto dims = op->getAttrOfType<DenseI64ArrayAttr>("broadcast_dimensions");
  return dims ? std::optional<Dims>(dims.asArrayRef()) : std::nullopt;
}

static size_t largestRank(Operation *op) {
  size_t rank = 0;
  for (Value operand : op->getOperands())
    rank = std::max(rank, spmd::stablehlo::shapeOf(operand).size());
  return rank;
}

SmallVector<int64_t> spmd::chlo::resultDimsOf(Operation *op, unsigned index) {
  size_t rank = spmd::stablehlo::shapeOf(op->getOperand(index)).size(), full = largestRank(op);
  std::optional<Dims> given = givenDims(op);
  if (given && rank < full)
    return SmallVector<int64_t>(*given);
  return llvm::to_vector(llvm::seq<int64_t>(full - rank, full));
}

/// broadcast_c1: `broadcast_dimensions` has an entry, in ascending order, for each dim of the
/// operand of smaller rank; of equal ranks, they are all dims.
static LogicalResult checkGivenDims(Operation *op) {
  std::optional<Dims> given = givenDims(op);
  if (!given)
    return success();
  size_t least = std::min(spmd::stablehlo::shapeOf(op->getOperand(0)).size(),
                          spmd::stablehlo::shapeOf(op->getOperand(1)).size());
  size_t full = largestRank(op);
  return failure(
      failed(checkCount(op, "broadcast_dimensions", given->size(), least, "the smaller rank is")) ||
      failed(checkDims(op, "broadcast_dimensions", *given, full, "the result")) ||
      failed(checkSorted(op, "broadcast_dimensions", *given)));
}

/// broadcast_c2: at each dim of the result the operands agree, or have size 1.
LogicalResult spmd::chlo::verifyBroadcasting(Operation *op) {
  if (failed(checkGivenDims(op)))
    return failure();
  SmallVector<int64_t> sizes(largestRank(op), 1);
  SmallVector<unsigned> owners(sizes.size(), 0);
  for (unsigned i = 0; i < op->getNumOperands(); ++i)
    for (auto [dim, size] :
         llvm::zip(resultDimsOf(op, i), spmd::stablehlo::shapeOf(op->getOperand(i)))) {
      if (size == 1 || (isDynamic(size) && sizes[dim] != 1))
        continue;
      if (sizes[dim] != 1 && !agree(sizes[dim], size))
        return op->emitOpError() << "operand " << i << " has size " << size << " in dim " << dim
                                 << " of the result, operand " << owners[dim] << " has "
                                 << sizes[dim];
      sizes[dim] = size;
      owners[dim] = i;
    }
  return checkSizes(op, resultSubject(op, 0), sizes);
}

/// broadcast_c3: one element type.
LogicalResult spmd::chlo::verifySameElements(Operation *op) {
  Subject first = operandSubject(op, 0);
  for (unsigned i = 1; i < op->getNumOperands(); ++i)
    if (failed(checkElements(op, operandSubject(op, i), first)))
      return failure();
  return checkElements(op, resultSubject(op, 0), first);
}

LogicalResult BroadcastComplexOp::verify() {
  if (failed(checkElements(*this, operandSubject(*this, 1), operandSubject(*this, 0))))
    return failure();
  Type part = tensorType(getLhs()).getElementType();
  auto complex = cast<ComplexType>(tensorType(getResult()).getElementType());
  if (complex.getElementType() != part)
    return emitOpError() << "result 0 has element type " << complex << ", its parts are " << part;
  return success();
}

LogicalResult BroadcastCompareOp::verify() {
  return checkElements(*this, operandSubject(*this, 1), operandSubject(*this, 0));
}

LogicalResult BroadcastSelectOp::verify() {
  Subject first = operandSubject(*this, 1);
  return failure(failed(checkElements(*this, operandSubject(*this, 2), first)) ||
                 failed(checkElements(*this, resultSubject(*this, 0), first)));
}

//===- Constants -----------------------------------------------------------===//

LogicalResult ConstantLikeOp::verify() {
  Type element = tensorType(getResult()).getElementType();
  if (getValue().getType() != element)
    return emitOpError() << "value has type " << getValue().getType()
                         << ", result 0 has element type " << element;
  return success();
}
