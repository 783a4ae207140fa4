// Creation of tensors: constants, counters, random numbers.

#include "spmd/dialect/stablehlo/Verify.h"

#include "mlir/Dialect/Quant/IR/QuantTypes.h"

using namespace mlir;
using namespace spmd::stablehlo;

LogicalResult ConstantOp::verify() {
  // constant_c1; a quantized constant holds the stored integers
  ShapedType value = getValue().getShapedType();
  RankedTensorType result = getType();
  Type element = result.getElementType();
  Type stored = value.getElementType();
  if (auto quantized = dyn_cast<quant::QuantizedType>(element)) {
    element = quantized.getStorageType();
    if (quantized.isSigned() && stored.isUnsignedInteger())
      return emitOpError() << "value has element type " << stored
                           << ", result 0 is stored as signed " << element;
  }
  bool isSameElement =
      stored == element || (isa<IntegerType>(stored) && element != result.getElementType() &&
                            elementBits(stored) == elementBits(element));
  if (value.getShape() == result.getShape() && isSameElement)
    return success();
  return emitOpError() << "value has type " << value << ", result 0 has type " << result;
}

LogicalResult IotaOp::verify() {
  if (failed(checkStatic(*this)))
    return failure();
  // iota_c1
  return checkDim(*this, "iota_dimension", getIotaDimension(), getType().getRank(), "result 0");
}

//===- Random numbers ------------------------------------------------------===//

LogicalResult RngOp::verify() {
  for (unsigned i : {0, 1}) {
    Subject operand = operandSubject(*this, i);
    if (int64_t rank = cast<RankedTensorType>(operand.type).getRank())
      return emitOpError() << "operand " << i << " has rank " << rank << ", expected 0";
    // rng_c1
    if (failed(checkElements(*this, resultSubject(*this, 0), operand)))
      return failure();
  }
  // rng_c2
  Type element = getType().getElementType();
  bool isNormal = getRngDistribution() == RngDistribution::NORMAL;
  unsigned allowed = isNormal ? unsigned(Float) : Pred | Int | Float | Quantized;
  if (!(elementKind(element) & allowed))
    return emitOpError() << "rng_distribution is " << stringifyRngDistribution(getRngDistribution())
                         << ", result 0 has element type " << element;
  // rng_c3
  return checkShapeOperand(*this, 2);
}

LogicalResult RngBitGeneratorOp::verify() {
  // rng_bit_generator_c1
  if (failed(checkTensor(*this, resultSubject(*this, 0), operandSubject(*this, 0))))
    return failure();
  // rng_bit_generator_c2, for states that are lists
  Dims state = shapeOf(getInitialState());
  if (state.size() != 1 || isDynamic(state[0]))
    return success();
  int64_t words = state[0];
  bool isPhilox = getRngAlgorithm() == RngAlgorithm::PHILOX;
  if (getRngAlgorithm() == RngAlgorithm::DEFAULT || words == 2 || (isPhilox && words == 3))
    return success();
  return emitOpError() << "operand 0 has " << words << " elements, "
                       << stringifyRngAlgorithm(getRngAlgorithm()) << " has a state of "
                       << (isPhilox ? "2 or 3" : "2");
}
