#include "spmd/passes/optimize/PositionDigits.h"

#include "spmd/dialect/stablehlo/Dialect.h"

#include "mlir/IR/Matchers.h"

namespace spmd {

using namespace stablehlo;

static std::optional<int64_t> constantOf(mlir::Value scalar) {
  mlir::DenseIntElementsAttr constant;
  if (!mlir::matchPattern(scalar, mlir::m_Constant(&constant)))
    return std::nullopt;
  return constant.getSplatValue<llvm::APInt>().getSExtValue();
}

/// Whether an element of `type` holds the number of any device as it is.
static bool holdsDevices(mlir::Type type) {
  mlir::Type element = mlir::getElementTypeOrSelf(type);
  return element.isInteger() && element.getIntOrFloatBitWidth() >= 32;
}

/// Whether `digits` is one digit, of which the quotient and the remainder by `by` are digits, too.
static bool isCutBy(const PositionDigits &digits, int64_t by) {
  return digits.size() == 1 && digits[0].coefficient == 1 && by > 0 && digits[0].modulus % by == 0;
}

static std::optional<PositionDigits> divide(const PositionDigits &digits, int64_t by) {
  if (!isCutBy(digits, by))
    return std::nullopt;
  return PositionDigits{{1, digits[0].divisor * by, digits[0].modulus / by}};
}

static std::optional<PositionDigits> remainder(const PositionDigits &digits, int64_t by) {
  if (!isCutBy(digits, by))
    return std::nullopt;
  return PositionDigits{{1, digits[0].divisor, by}};
}

static std::optional<PositionDigits> multiply(PositionDigits digits, int64_t by) {
  for (PositionDigit &digit : digits)
    digit.coefficient *= by;
  return digits;
}

/// How deep a chain of scalar ops is followed, and how many digits a sum may have: each op may
/// double their number.
constexpr int maxDepth = 32;
constexpr size_t maxDigits = 32;

static std::optional<PositionDigits> digitsOf(mlir::Value value, int64_t numDevices, int depth) {
  if (constantOf(value) == 0)
    return PositionDigits();
  mlir::Operation *op = value.getDefiningOp();
  if (!op || depth > maxDepth)
    return std::nullopt;
  auto digitsOfOperand = [&](unsigned index) {
    return digitsOf(op->getOperand(index), numDevices, depth + 1);
  };
  if (llvm::isa<PartitionIdOp>(op))
    return PositionDigits{{1, 1, numDevices}};
  if (llvm::isa<ConvertOp, ReshapeOp>(op))
    return holdsDevices(value.getType()) ? digitsOfOperand(0) : std::nullopt;
  if (llvm::isa<AddOp>(op)) {
    std::optional<PositionDigits> lhs = digitsOfOperand(0);
    if (!lhs)
      return std::nullopt;
    std::optional<PositionDigits> rhs = digitsOfOperand(1);
    if (!rhs || lhs->size() + rhs->size() > maxDigits)
      return std::nullopt;
    lhs->insert(lhs->end(), rhs->begin(), rhs->end());
    return lhs;
  }
  if (!llvm::isa<MulOp, DivOp, RemOp>(op))
    return std::nullopt;
  bool startsWithNumber = llvm::isa<MulOp>(op) && constantOf(op->getOperand(0));
  std::optional<int64_t> number = constantOf(op->getOperand(startsWithNumber ? 0 : 1));
  if (!number)
    return std::nullopt;
  std::optional<PositionDigits> digits = digitsOfOperand(startsWithNumber ? 1 : 0);
  return !digits                ? std::nullopt
         : llvm::isa<MulOp>(op) ? multiply(*digits, *number)
         : llvm::isa<DivOp>(op) ? divide(*digits, *number)
                                : remainder(*digits, *number);
}

std::optional<PositionDigits> positionDigits(mlir::Value value, int64_t numDevices) {
  return digitsOf(value, numDevices, 0);
}

int64_t evaluate(const PositionDigits &digits, int64_t device) {
  int64_t sum = 0;
  for (const PositionDigit &digit : digits)
    sum += digit.coefficient * (device / digit.divisor % digit.modulus);
  return sum;
}

} // namespace spmd
