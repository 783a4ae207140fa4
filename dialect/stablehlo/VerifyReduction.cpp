// Reductions, sorting, maps.

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

LogicalResult MapOp::verify() {
  // map_c2
  if (getInputs().empty())
    return emitOpError() << "has no inputs";
  // map_c1
  for (unsigned i = 0; i < getNumOperands(); ++i)
    if (failed(checkShape(*this, operandSubject(*this, i), operandSubject(*this, 0))) ||
        failed(checkShape(*this, resultSubject(*this, 0), operandSubject(*this, i))))
      return failure();
  // map_c3
  Dims dims = getDimensions();
  if (failed(
          checkCount(*this, "dimensions", dims.size(), getType().getRank(), "operand 0 has rank")))
    return failure();
  for (size_t i = 0; i < dims.size(); ++i)
    if (dims[i] != static_cast<int64_t>(i))
      return emitOpError() << "dimensions has " << dims[i] << " at " << i
                           << "; they are 0, 1 and so on";
  return success();
}

/// The type of one element of `value`.
static Type scalarOf(Value value) {
  return RankedTensorType::get({}, tensorType(value).getElementType());
}

LogicalResult MapOp::verifyRegions() {
  // map_c4
  SmallVector<Type> arguments;
  for (Value input : getInputs())
    arguments.push_back(scalarOf(input));
  return checkBody(*this, getComputation(), "computation", arguments, scalarOf(getResult()));
}

LogicalResult SelectAndScatterOp::verify() {
  Subject operand = operandSubject(*this, 0), source = operandSubject(*this, 1);
  // select_and_scatter_c1, c3
  if (failed(checkElements(*this, source, operand)) ||
      failed(checkElements(*this, operandSubject(*this, 2), operand)))
    return failure();
  if (int64_t rank = tensorType(getInitValue()).getRank())
    return emitOpError() << "operand 2 has rank " << rank << ", expected 0";
  Dims shape = shapeOf(getOperand());
  // select_and_scatter_c4 to c8
  FailureOr<Window> window =
      readWindow(*this, shape.size(), getWindowDimensions().value_or(Dims()), getWindowStrides(),
                 getPaddingAttr(), std::nullopt, std::nullopt,
                 {"window_dimensions", "window_strides", "padding", "", ""});
  if (failed(window))
    return failure();
  // select_and_scatter_c2
  SmallVector<int64_t> expected;
  for (size_t dim = 0; dim < shape.size(); ++dim) {
    FailureOr<int64_t> places = numWindows(*this, *window, dim, shape[dim]);
    if (failed(places))
      return failure();
    expected.push_back(*places);
  }
  if (failed(checkSizes(*this, source, expected)))
    return failure();
  // select_and_scatter_c11
  return checkShape(*this, resultSubject(*this, 0), operand);
}

LogicalResult SelectAndScatterOp::verifyRegions() {
  // select_and_scatter_c9
  Type scalar = scalarOf(getOperand());
  auto condition = RankedTensorType::get({}, IntegerType::get(getContext(), 1));
  if (failed(checkBody(*this, getSelect(), "select", {scalar, scalar}, condition)))
    return failure();
  // select_and_scatter_c10, c12
  return checkReducer(*this, getScatter(), "scatter", getOperand().getType(), getType());
}
