#include "spmd/passes/optimize/PositionDigits.h"

#include "spmd/dialect/stablehlo/Dialect.h"

#include "mlir/IR/Matchers.h"

namespace spmd {

using namespace stablehlo;

static std::optional<int64_t> constantOf(mlir::Value value) {
  mlir::DenseIntElementsAttr constant;
  if (!mlir::matchPattern(value, mlir::m_Constant(&constant)) || constant.getNumElements() != 1)
    return std::nullopt;
  llvm::APInt number = *constant.value_begin<llvm::APInt>();
  return number.getSignificantBits() <= 64 ? std::optional(number.getSExtValue()) : std::nullopt;
}

static std::optional<PositionDigits> divide(PositionDigits digits, int64_t by) {
  if (digits.size() != 1 || digits[0].coefficient != 1 || by <= 0 || digits[0].modulus % by != 0)
    return std::nullopt;
  return PositionDigits{{1, digits[0].divisor * by, digits[0].modulus / by}};
}

static std::optional<PositionDigits> remainder(PositionDigits digits, int64_t by) {
  if (digits.size() != 1 || digits[0].coefficient != 1 || by <= 0 || digits[0].modulus % by != 0)
    return std::nullopt;
  return PositionDigits{{1, digits[0].divisor, by}};
}

static std::optional<PositionDigits> multiply(PositionDigits digits, int64_t by) {
  for (PositionDigit &digit : digits)
    digit.coefficient *= by;
  return digits;
}

/// How deep a chain of scalar ops is followed.
constexpr int maxDepth = 32;

static std::optional<PositionDigits> digitsOf(mlir::Value value, int64_t numDevices, int depth) {
  if (constantOf(value) == 0)
    return PositionDigits();
  mlir::Operation *op = value.getDefiningOp();
  if (!op || depth == maxDepth)
    return std::nullopt;
  if (llvm::isa<PartitionIdOp>(op))
    return PositionDigits{{1, 1, numDevices}};
  if (llvm::isa<ConvertOp, ReshapeOp>(op))
    return digitsOf(op->getOperand(0), numDevices, depth + 1);
  if (!llvm::isa<AddOp, MulOp, DivOp, RemOp>(op))
    return std::nullopt;
  std::optional<PositionDigits> lhs = digitsOf(op->getOperand(0), numDevices, depth + 1);
  if (llvm::isa<AddOp>(op)) {
    std::optional<PositionDigits> rhs = digitsOf(op->getOperand(1), numDevices, depth + 1);
    if (!lhs || !rhs)
      return std::nullopt;
    lhs->insert(lhs->end(), rhs->begin(), rhs->end());
    return lhs;
  }
  std::optional<int64_t> number = constantOf(op->getOperand(1));
  if (llvm::isa<MulOp>(op) && !number) {
    number = constantOf(op->getOperand(0));
    lhs = digitsOf(op->getOperand(1), numDevices, depth + 1);
  }
  if (!lhs || !number)
    return std::nullopt;
  return llvm::isa<MulOp>(op)   ? multiply(*lhs, *number)
         : llvm::isa<DivOp>(op) ? divide(*lhs, *number)
                                : remainder(*lhs, *number);
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
