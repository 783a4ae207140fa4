// What scales and zero points of quantized operands and results have to do with each other.

#include "spmd/dialect/stablehlo/Verify.h"

#include "mlir/Dialect/Quant/IR/QuantTypes.h"

using namespace mlir;
using namespace spmd::stablehlo;

using quant::QuantizedType;
using PerAxisType = quant::UniformQuantizedPerAxisType;

static Type elementOf(Type type) { return cast<RankedTensorType>(type).getElementType(); }

/// Returns whether `result` says of each place what `operand` says. One scale may stand for all
/// places of a dim that was broadcast.
template <typename T> static bool isKept(ArrayRef<T> operand, ArrayRef<T> result) {
  if (operand.size() == 1)
    return llvm::all_of(result, [&](T value) { return value == operand[0]; });
  return operand == result;
}

LogicalResult spmd::stablehlo::checkKeptQuantization(Operation *op,
                                                     function_ref<int64_t(int64_t)> resultDim) {
  Type operand = elementOf(op->getOperand(0).getType()),
       result = elementOf(op->getResult(0).getType());
  if (operand == result && !isa<PerAxisType>(operand))
    return success();
  auto from = dyn_cast<PerAxisType>(operand), to = dyn_cast<PerAxisType>(result);
  if (!from || !to)
    return op->emitOpError() << "result 0 has element type " << result << ", operand 0 has "
                             << operand;
  if (!isKept(from.getScales(), to.getScales()) ||
      !isKept(from.getZeroPoints(), to.getZeroPoints()))
    return op->emitOpError() << "result 0 has other scales or zero points than operand 0";
  int64_t expected = resultDim(from.getQuantizedDimension());
  if (to.getQuantizedDimension() == expected)
    return success();
  InFlightDiagnostic diagnostic =
      op->emitOpError() << "result 0 is quantized along dim " << to.getQuantizedDimension()
                        << ", operand 0 along dim " << from.getQuantizedDimension();
  if (expected >= 0)
    diagnostic << ", which goes to dim " << expected;
  return diagnostic;
}

LogicalResult spmd::stablehlo::checkElementwiseQuantization(Operation *op) {
  auto first = dyn_cast<QuantizedType>(elementOf(op->getOperand(0).getType()));
  auto check = [&](const Subject &subject) -> LogicalResult {
    auto other = dyn_cast<QuantizedType>(elementOf(subject.type));
    // add_c2
    if (!first != !other)
      return op->emitOpError() << subject.name << " is " << (other ? "" : "not ")
                               << "quantized, operand 0 is " << (first ? "" : "not");
    // add_c6, c7
    auto a = dyn_cast_if_present<PerAxisType>(first), b = dyn_cast_if_present<PerAxisType>(other);
    if (a && b && a.getQuantizedDimension() != b.getQuantizedDimension())
      return op->emitOpError() << subject.name << " is quantized along dim "
                               << b.getQuantizedDimension() << ", operand 0 along dim "
                               << a.getQuantizedDimension();
    return success();
  };
  for (unsigned i = 1; i < op->getNumOperands(); ++i)
    if (failed(check(operandSubject(op, i))))
      return failure();
  if (failed(check(resultSubject(op, 0))))
    return failure();
  // add_c5
  auto isPerAxis = [](Type type) { return isa<PerAxisType>(elementOf(type)); };
  bool result = isPerAxis(op->getResult(0).getType());
  if (!isa<AddOp>(op) || llvm::any_of(op->getOperandTypes(), isPerAxis) == result)
    return success();
  return op->emitOpError() << "result 0 is " << (result ? "" : "not ") << "quantized along a dim, "
                           << (result ? "no operand is" : "an operand is");
}

LogicalResult spmd::stablehlo::checkContractionElements(Operation *op) {
  Type lhs = elementOf(op->getOperand(0).getType()), rhs = elementOf(op->getOperand(1).getType()),
       result = elementOf(op->getResult(0).getType());
  auto lhsQuantized = dyn_cast<QuantizedType>(lhs), rhsQuantized = dyn_cast<QuantizedType>(rhs),
       resultQuantized = dyn_cast<QuantizedType>(result);
  if (!lhsQuantized && !rhsQuantized && !resultQuantized) {
    // The result's type is free, and the kernels convert both operands of a dot product to it.
    if (lhs == rhs || isa<DotGeneralOp, DotOp>(op))
      return success();
    return checkElements(op, operandSubject(op, 1), operandSubject(op, 0));
  }
  // dot_general_c14, convolution_c28
  if (!rhsQuantized || !lhsQuantized != !resultQuantized)
    return op->emitOpError() << "has quantized and other element types, " << lhs << ", " << rhs
                             << " and " << result << "; quantized are all, or operand 1 alone";
  // dot_general_c15, convolution_c29: a scale along a dim cannot get lost
  if (isa<PerAxisType>(result) && !isa<PerAxisType>(rhs))
    return op->emitOpError() << "result 0 is quantized along a dim, operand 1 as a whole";
  // dot_general_c16
  auto hasZeroPoint = [](QuantizedType type) {
    if (auto perAxis = dyn_cast<PerAxisType>(type))
      return llvm::any_of(perAxis.getZeroPoints(), [](int64_t point) { return point != 0; });
    auto uniform = dyn_cast<quant::UniformQuantizedType>(type);
    return uniform && uniform.getZeroPoint() != 0;
  };
  if (isa<DotGeneralOp>(op) && hasZeroPoint(rhsQuantized))
    return op->emitOpError() << "operand 1 has a zero point other than 0";
  // Stored alike.
  if (lhsQuantized && lhsQuantized.getStorageType() != rhsQuantized.getStorageType())
    return op->emitOpError() << "operand 1 is stored as " << rhsQuantized.getStorageType()
                             << ", operand 0 as " << lhsQuantized.getStorageType();
  // dot_general_c17 to c20, convolution_c30 to c34
  Type expressed = rhsQuantized.getExpressedType();
  Type lhsExpressed = lhsQuantized ? lhsQuantized.getExpressedType() : lhs;
  Type resultExpressed = resultQuantized ? resultQuantized.getExpressedType() : result;
  if (lhsExpressed != expressed || resultExpressed != expressed)
    return op->emitOpError() << "computes in " << lhsExpressed << ", " << expressed << " and "
                             << resultExpressed
                             << " for operands 0, 1 and the result; expected one type";
  return success();
}

std::optional<int64_t> spmd::stablehlo::quantizedDimOf(Type type) {
  auto perAxis = dyn_cast<PerAxisType>(elementOf(type));
  return perAxis ? std::optional<int64_t>(perAxis.getQuantizedDimension()) : std::nullopt;
}

LogicalResult spmd::stablehlo::checkQuantizedDim(Operation *op, const Subject &subject,
                                                 int64_t expected, StringRef role) {
  std::optional<int64_t> dim = quantizedDimOf(subject.type);
  if (!dim || *dim == expected)
    return success();
  return op->emitOpError() << subject.name << " is quantized along dim " << *dim << ", expected "
                           << expected << ", " << role;
}

//===- Ops -------------------------------------------------------------------------------===//

LogicalResult UniformQuantizeOp::verify() {
  // uniform_quantize_c2
  Type from = elementOf(getOperand().getType());
  auto quantized = dyn_cast<QuantizedType>(from);
  Type operand = quantized ? quantized.getExpressedType() : from;
  Type result = cast<QuantizedType>(elementOf(getType())).getExpressedType();
  if (operand == result)
    return success();
  return emitOpError() << "result 0 expresses " << result << ", operand 0 "
                       << (quantized ? "expresses " : "has element type ") << operand;
}

LogicalResult UniformDequantizeOp::verify() {
  // uniform_dequantize_c2
  Type operand = cast<QuantizedType>(elementOf(getOperand().getType())).getExpressedType();
  Type result = elementOf(getType());
  if (operand == result)
    return success();
  return emitOpError() << "result 0 has element type " << result << ", operand 0 expresses "
                       << operand;
}
