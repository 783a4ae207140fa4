// Ops whose sizes are operands.

#include "spmd/dialect/stablehlo/Verify.h"

using namespace mlir;
using namespace spmd::stablehlo;

LogicalResult DynamicBroadcastInDimOp::verify() {
  Dims operand = shapeOf(getOperand());
  // dynamic_broadcast_in_dim_c1 to c6
  if (failed(checkBroadcast(*this, getBroadcastDimensions())) ||
      // dynamic_broadcast_in_dim_c7
      failed(checkShapeOperand(*this, 1)))
    return failure();
  if (isDynamic(shapeOf(getOutputDimensions()).front()))
    return emitOpError() << "operand 1 has no static size; expected one entry a dim of result 0";
  // dynamic_broadcast_in_dim_c5
  if (std::optional<SmallVector<int64_t>> sizes = knownInts(getOutputDimensions()))
    for (auto [dim, to] : llvm::enumerate(getBroadcastDimensions()))
      if (operand[dim] != 1 && !agree(operand[dim], (*sizes)[to]))
        return emitOpError() << "operand 0 has size " << operand[dim] << " in dim " << dim
                             << ", operand 1 has " << (*sizes)[to] << " for dim " << to;
  // dynamic_broadcast_in_dim_c8 to c10
  SmallVector<int64_t> known(getKnownExpandingDimensions().value_or(Dims()));
  llvm::append_range(known, getKnownNonexpandingDimensions().value_or(Dims()));
  return checkDims(*this, "list of known expanding and nonexpanding dims", known, operand.size(),
                   "operand 0");
}

LogicalResult DynamicIotaOp::verify() {
  // dynamic_iota_c1
  if (failed(
          checkDim(*this, "iota_dimension", getIotaDimension(), getType().getRank(), "result 0")))
    return failure();
  // dynamic_iota_c2
  return checkShapeOperand(*this, 0);
}

LogicalResult DynamicPadOp::verify() {
  Dims operand = shapeOf(getOperand());
  // dynamic_pad_c1
  if (failed(checkElements(*this, operandSubject(*this, 1), operandSubject(*this, 0))) ||
      failed(checkElements(*this, resultSubject(*this, 0), operandSubject(*this, 0))))
    return failure();
  if (int64_t rank = tensorType(getPaddingValue()).getRank())
    return emitOpError() << "operand 1 has rank " << rank << ", expected 0";
  // dynamic_pad_c2
  for (unsigned i : {2, 3, 4})
    if (failed(checkLength(*this, i, operand.size(), "operand 0")))
      return failure();
  auto low = knownInts(getEdgePaddingLow()), high = knownInts(getEdgePaddingHigh()),
       interior = knownInts(getInteriorPadding());
  // dynamic_pad_c3
  if (interior && failed(checkAtLeast(*this, "operand 4", *interior, 0)))
    return failure();
  // dynamic_pad_c4
  SmallVector<int64_t> expected(operand.size(), ShapedType::kDynamic);
  for (size_t dim = 0; dim < operand.size(); ++dim) {
    if (!low || !high || !interior || isDynamic(operand[dim]))
      continue;
    Wide size = static_cast<Wide>(operand[dim]) + (*low)[dim] + (*high)[dim] +
                static_cast<Wide>(std::max<int64_t>(operand[dim] - 1, 0)) * (*interior)[dim];
    FailureOr<int64_t> fits = narrow(*this, "padded size of dim " + Twine(dim), size);
    if (failed(fits))
      return failure();
    expected[dim] = *fits;
  }
  return checkSizes(*this, resultSubject(*this, 0), expected);
}

LogicalResult DynamicReshapeOp::verify() {
  Subject operand = operandSubject(*this, 0), result = resultSubject(*this, 0);
  // dynamic_reshape_c1
  if (failed(checkElements(*this, result, operand)))
    return failure();
  if (isDynamic(shapeOf(getOutputShape()).front()))
    return emitOpError() << "operand 1 has an unknown number of entries, result 0 has rank "
                         << getType().getRank();
  // dynamic_reshape_c4
  if (failed(checkShapeOperand(*this, 1)))
    return failure();
  // dynamic_reshape_c2
  FailureOr<int64_t> before = numElements(*this, operand), after = numElements(*this, result);
  if (failed(before) || failed(after))
    return failure();
  if (!agree(*before, *after))
    return emitOpError() << "operand 0 has " << *before << " elements, result 0 has " << *after;
  // dynamic_reshape_c3, where the sizes before the dim are known
  if (getType().hasStaticShape() && tensorType(getOperand()).hasStaticShape() &&
      failed(checkReshapedQuantization(*this)))
    return failure();
  auto sizes = knownInts(getOutputShape());
  if (!sizes)
    return success();
  Subject wanted{"shape in operand 1", RankedTensorType::get(*sizes, getType().getElementType())};
  after = numElements(*this, wanted);
  if (failed(after) || agree(*before, *after))
    return failure(failed(after));
  return emitOpError() << "operand 0 has " << *before << " elements, the shape in operand 1 has "
                       << *after;
}

LogicalResult RealDynamicSliceOp::verify() {
  Dims operand = shapeOf(getOperand()), result = shapeOf(getResult());
  if (failed(checkElements(*this, resultSubject(*this, 0), operandSubject(*this, 0))))
    return failure();
  for (unsigned i : {1, 2, 3}) {
    if (failed(checkLength(*this, i, operand.size(), "operand 0")))
      return failure();
    Type type = getOperation()->getOperand(i).getType();
    if (type != getStartIndices().getType())
      return emitOpError() << "operand " << i << " has type " << type << ", operand 1 has type "
                           << getStartIndices().getType();
  }
  if (result.size() != operand.size())
    return emitOpError() << "result 0 has rank " << result.size() << ", operand 0 has rank "
                         << operand.size();
  return success();
}

LogicalResult GetDimensionSizeOp::verify() {
  // get_dimension_size_c1
  return checkDim(*this, "dimension", getDimension(), tensorType(getOperand()).getRank(),
                  "operand 0");
}

LogicalResult SetDimensionSizeOp::verify() {
  SmallVector<int64_t> expected(shapeOf(getOperand()));
  if (failed(checkDim(*this, "dimension", getDimension(), expected.size(), "operand 0")) ||
      failed(checkElements(*this, resultSubject(*this, 0), operandSubject(*this, 0))))
    return failure();
  expected[getDimension()] = ShapedType::kDynamic;
  return checkSizes(*this, resultSubject(*this, 0), expected);
}
