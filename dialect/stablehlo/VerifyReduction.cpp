// Reductions and sorting.

#include "spmd/dialect/stablehlo/Verify.h"

using namespace mlir;
using namespace spmd::stablehlo;

/// Returns whether `part` is `whole` with some dims left out.
static bool isSubsequence(Dims part, Dims whole) {
  for (int64_t size : whole)
    if (!part.empty() && agree(part.front(), size))
      part = part.drop_front();
  return part.empty();
}

/// reduce_c1 to c3, reduce_window_c1 to c3: as many initial values and results as inputs, one shape
/// of the inputs, scalars to start from. Beyond the specification, and as upstream does, a body may
/// work on tensors of some of `partDims` at once: the kept dims of a reduction, or a window.
static LogicalResult checkReduced(Operation *op, OperandRange inputs, Dims partDims) {
  unsigned count = inputs.size();
  if (count == 0)
    return op->emitOpError() << "has no inputs";
  if (op->getNumResults() != count)
    return op->emitOpError() << "has " << count << " inputs and " << op->getNumResults()
                             << " results";
  for (unsigned i = 0; i < count; ++i) {
    Subject input = operandSubject(op, i), init = operandSubject(op, count + i);
    if (failed(checkShape(op, input, operandSubject(op, 0))) ||
        failed(checkElements(op, init, input)))
      return failure();
    if (cast<ShapedType>(init.type).getRank() != 0 &&
        !isSubsequence(cast<ShapedType>(init.type).getShape(), partDims))
      return op->emitOpError() << init.name << " has type " << init.type << ", expected rank 0";
  }
  return success();
}

LogicalResult ReduceOp::verify() {
  // reduce_c3
  if (getInputs().empty())
    return emitOpError() << "has no inputs";
  Dims input = shapeOf(getInputs()[0]), dims = getDimensions();
  // reduce_c4, c5
  if (failed(checkDims(*this, "dimensions", dims, input.size(), "operand 0")))
    return failure();
  SmallVector<int64_t> kept;
  for (int64_t dim = 0; dim < static_cast<int64_t>(input.size()); ++dim)
    if (!llvm::is_contained(dims, dim))
      kept.push_back(input[dim]);
  if (failed(checkReduced(*this, getInputs(), kept)))
    return failure();
  // reduce_c7
  for (unsigned i = 0; i < getNumResults(); ++i)
    if (failed(checkSizes(*this, resultSubject(*this, i), kept)))
      return failure();
  return success();
}

LogicalResult ReduceOp::verifyRegions() {
  // reduce_c6, c8
  return checkReducer(*this, getBody(), "body", getInputs().getTypes(), getResultTypes(),
                      getInitValues().getTypes());
}

LogicalResult ReduceWindowOp::verify() {
  if (failed(checkReduced(*this, getInputs(), getWindowDimensions())))
    return failure();
  Dims input = shapeOf(getInputs()[0]);
  // reduce_window_c4 to c12
  FailureOr<Window> window = readWindow(
      *this, input.size(), getWindowDimensions(), getWindowStrides(), getPaddingAttr(),
      getBaseDilations(), getWindowDilations(),
      {"window_dimensions", "window_strides", "padding", "base_dilations", "window_dilations"});
  if (failed(window))
    return failure();
  // reduce_window_c14, c15
  SmallVector<int64_t> expected;
  for (size_t dim = 0; dim < input.size(); ++dim) {
    FailureOr<int64_t> places = numWindows(*this, *window, dim, input[dim]);
    if (failed(places))
      return failure();
    expected.push_back(*places);
  }
  for (unsigned i = 0; i < getNumResults(); ++i)
    if (failed(checkSizes(*this, resultSubject(*this, i), expected)))
      return failure();
  return success();
}

LogicalResult ReduceWindowOp::verifyRegions() {
  // reduce_window_c13, c16
  return checkReducer(*this, getBody(), "body", getInputs().getTypes(), getResultTypes(),
                      getInitValues().getTypes());
}

LogicalResult SortOp::verify() {
  // sort_c1
  if (getInputs().empty())
    return emitOpError() << "has no inputs";
  if (getNumResults() != getInputs().size())
    return emitOpError() << "has " << getInputs().size() << " inputs and " << getNumResults()
                         << " results";
  for (unsigned i = 0; i < getNumResults(); ++i)
    // sort_c2, c3
    if (failed(checkShape(*this, operandSubject(*this, i), operandSubject(*this, 0))) ||
        failed(checkTensor(*this, resultSubject(*this, i), operandSubject(*this, i))))
      return failure();
  // sort_c4; negative dims count from the end, and a scalar has none to sort along
  int64_t dim = getDimension(), rank = tensorType(getInputs()[0]).getRank();
  if (rank != 0 && (dim < -rank || dim >= rank))
    return emitOpError() << "dimension is " << dim << ", operand 0 has rank " << rank;
  return success();
}

LogicalResult SortOp::verifyRegions() {
  // sort_c5
  SmallVector<Type> arguments;
  for (Value input : getInputs())
    arguments.append(2, RankedTensorType::get({}, tensorType(input).getElementType()));
  return checkBody(*this, getComparator(), "comparator", arguments,
                   RankedTensorType::get({}, IntegerType::get(getContext(), 1)));
}
