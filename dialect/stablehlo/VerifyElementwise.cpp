// Elementwise ops: what the traits SameShape and SameType do not say.

#include "spmd/dialect/stablehlo/Verify.h"

using namespace mlir;
using namespace spmd::stablehlo;

/// Returns the real type of a complex one, any other type itself.
static Type realPart(Type type) {
  auto complex = dyn_cast<ComplexType>(type);
  return complex ? complex.getElementType() : type;
}

/// abs_c2, imag_c2, real_c2: the result of an op on complex numbers is real.
static LogicalResult verifyRealResult(Operation *op) {
  Type operand = tensorType(op->getOperand(0)).getElementType();
  Type result = tensorType(op->getResult(0)).getElementType();
  if (sameElements(realPart(operand), result))
    return success();
  return op->emitOpError() << "result 0 has element type " << result << ", operand 0 has "
                           << operand;
}
LogicalResult AbsOp::verify() { return verifyRealResult(*this); }
LogicalResult ImagOp::verify() { return verifyRealResult(*this); }
LogicalResult RealOp::verify() { return verifyRealResult(*this); }

LogicalResult ReducePrecisionOp::verify() {
  // reduce_precision_c2
  if (static_cast<int32_t>(getExponentBits()) < 1)
    return emitOpError() << "exponent_bits is " << static_cast<int32_t>(getExponentBits())
                         << "; it is at least 1";
  // reduce_precision_c3
  if (static_cast<int32_t>(getMantissaBits()) < 0)
    return emitOpError() << "mantissa_bits is " << static_cast<int32_t>(getMantissaBits())
                         << "; it is at least 0";
  return success();
}

LogicalResult BitcastConvertOp::verify() {
  Type from = getOperand().getType().getElementType(), to = getResult().getType().getElementType();
  // bitcast_convert_c2
  if (isa<ComplexType>(from) != isa<ComplexType>(to))
    return emitOpError() << "operand 0 has element type " << from << ", result 0 has " << to
                         << "; only one of them is complex";
  // bitcast_convert_c1
  int64_t fromBits = elementBits(from), toBits = elementBits(to);
  if (fromBits == toBits)
    return checkShape(*this, resultSubject(*this, 0), operandSubject(*this, 0));
  SmallVector<int64_t> narrowShape(shapeOf(fromBits < toBits ? getOperand() : getResult()));
  Subject wide = fromBits < toBits ? resultSubject(*this, 0) : operandSubject(*this, 0);
  StringRef narrowName = fromBits < toBits ? "operand 0" : "result 0";
  int64_t ratio = std::max(fromBits, toBits) / std::min(fromBits, toBits);
  if (narrowShape.empty())
    return emitOpError() << narrowName << " has rank 0, expected a last dim of size " << ratio;
  if (!agree(narrowShape.back(), ratio))
    return emitOpError() << narrowName << " has size " << narrowShape.back()
                         << " in its last dim, expected " << ratio;
  narrowShape.pop_back();
  if (failed(checkSizes(*this, wide, narrowShape)))
    return failure();
  if (fromBits > toBits) {
    SmallVector<int64_t> expected(shapeOf(getOperand()));
    expected.push_back(ratio);
    expectSizes(resultSubject(*this, 0), expected);
  }
  return success();
}

LogicalResult ComplexOp::verify() {
  // complex_c1
  if (failed(checkElements(*this, operandSubject(*this, 1), operandSubject(*this, 0))))
    return failure();
  // complex_c3
  Type part = tensorType(getLhs()).getElementType(), whole = getResult().getType().getElementType();
  if (part == realPart(whole))
    return success();
  return emitOpError() << "result 0 has element type " << whole << ", operand 0 has " << part;
}

LogicalResult CompareOp::verify() {
  // compare_c1
  if (failed(checkElements(*this, operandSubject(*this, 1), operandSubject(*this, 0))))
    return failure();
  // compare_c3; integers have no order but the total one
  std::optional<ComparisonType> type = getCompareType();
  if (!type || *type == ComparisonType::NOTYPE)
    return success();
  Type element = tensorType(getLhs()).getElementType();
  unsigned kind = elementKind(element);
  unsigned allowed = *type == ComparisonType::SIGNED       ? Signed | Index
                     : *type == ComparisonType::UNSIGNED   ? Unsigned | Pred
                     : *type == ComparisonType::TOTALORDER ? Float | Int | Pred
                                                           : Float | Complex | Quantized;
  if (kind == Quantized || (kind & allowed))
    return success();
  return emitOpError() << "compare_type is " << stringifyComparisonType(*type)
                       << ", the operands have element type " << element;
}

LogicalResult ClampOp::verify() {
  Subject operand = operandSubject(*this, 1);
  for (unsigned i : {0, 2}) {
    Subject bound = operandSubject(*this, i);
    // clamp_c3, then clamp_c1 and clamp_c2
    if (failed(checkElements(*this, bound, operand)) ||
        (cast<RankedTensorType>(bound.type).getRank() != 0 &&
         failed(checkShape(*this, bound, operand))))
      return failure();
  }
  // clamp_c4
  return checkTensor(*this, resultSubject(*this, 0), operand);
}

LogicalResult SelectOp::verify() {
  // select_c1
  if (tensorType(getPred()).getRank() != 0 &&
      failed(checkShape(*this, operandSubject(*this, 0), operandSubject(*this, 1))))
    return failure();
  // select_c2
  return failure(failed(checkTensor(*this, operandSubject(*this, 2), operandSubject(*this, 1))) ||
                 failed(checkTensor(*this, resultSubject(*this, 0), operandSubject(*this, 1))));
}
