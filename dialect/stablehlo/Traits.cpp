#include "spmd/dialect/stablehlo/Verify.h"

using namespace mlir;
using namespace spmd::stablehlo;

/// Checks all operands and results against the first operand; dims it leaves dynamic are fixed by
/// the first value that has them static.
static LogicalResult verifyAgreement(Operation *op, bool withElements) {
  Type first = op->getOperand(0).getType();
  auto isFirst = [&](Type type) { return type == first; };
  if (llvm::all_of(op->getOperandTypes(), isFirst) && llvm::all_of(op->getResultTypes(), isFirst))
    return success();
  Subject reference = operandSubject(op, 0);
  auto check = [&](const Subject &subject) -> LogicalResult {
    if ((withElements && failed(checkElements(op, subject, reference))) ||
        failed(checkShape(op, subject, reference)))
      return failure();
    auto known = cast<RankedTensorType>(reference.type);
    SmallVector<int64_t> merged(known.getShape());
    for (auto [size, other] : llvm::zip(merged, cast<ShapedType>(subject.type).getShape()))
      size = isDynamic(size) ? other : size;
    if (Dims(merged) != known.getShape()) // Else it keeps its bounds.
      reference.type = RankedTensorType::get(merged, known.getElementType());
    return success();
  };
  for (unsigned i = 1; i < op->getNumOperands(); ++i)
    if (failed(check(operandSubject(op, i))))
      return failure();
  for (unsigned i = 0; i < op->getNumResults(); ++i)
    if (failed(check(resultSubject(op, i))))
      return failure();
  return withElements ? checkElementwiseQuantization(op) : success();
}

LogicalResult spmd::stablehlo::verifySameShape(Operation *op) { return verifyAgreement(op, false); }
LogicalResult spmd::stablehlo::verifySameType(Operation *op) { return verifyAgreement(op, true); }
