#include "spmd/passes/verify/PerDevice.h"

#include "spmd/dialect/stablehlo/Dialect.h"

#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

#include <numeric>

namespace spmd {

using namespace stablehlo;

/// How deep a chain of scalar ops is followed.
static constexpr int maxDepth = 64;

llvm::ArrayRef<mlir::func::CallOp> CallSites::of(mlir::BlockArgument argument) {
  auto func = llvm::dyn_cast<mlir::func::FuncOp>(argument.getOwner()->getParentOp());
  if (!isLookedUp && func)
    module.walk([&](mlir::func::CallOp call) { calls[call.getCallee()].push_back(call); });
  isLookedUp |= static_cast<bool>(func);
  auto found = func && func.isPrivate() ? calls.find(func.getName()) : calls.end();
  if (found == calls.end())
    return {};
  return found->second;
}

static bool isArithmetic(mlir::Operation *op) {
  return llvm::isa<AddOp, SubtractOp, MulOp, DivOp, RemOp, MinOp, MaxOp, AndOp, OrOp, XorOp, NotOp,
                   ConvertOp, ReshapeOp, CompareOp, SelectOp>(op);
}

static mlir::Type elementOf(mlir::Operation *op) {
  return mlir::getElementTypeOrSelf(op->getResult(0).getType());
}

static int64_t isTrue(CompareOp compare, int64_t a, int64_t b) {
  switch (compare.getComparisonDirection()) {
  case ComparisonDirection::EQ:
    return a == b;
  case ComparisonDirection::NE:
    return a != b;
  case ComparisonDirection::LT:
    return a < b;
  case ComparisonDirection::LE:
    return a <= b;
  case ComparisonDirection::GT:
    return a > b;
  case ComparisonDirection::GE:
    return a >= b;
  }
  return 0;
}

static std::optional<int64_t> apply(mlir::Operation *op, int64_t a, int64_t b, int64_t c) {
  using Result = std::optional<int64_t>;
  return llvm::TypeSwitch<mlir::Operation *, Result>(op)
      .Case<AddOp>([&](auto) { return a + b; })
      .Case<SubtractOp>([&](auto) { return a - b; })
      .Case<MulOp>([&](auto) { return a * b; })
      .Case<DivOp>([&](auto) { return b == 0 ? Result() : a / b; })
      .Case<RemOp>([&](auto) { return b == 0 ? Result() : a % b; })
      .Case<MinOp>([&](auto) { return std::min(a, b); })
      .Case<MaxOp>([&](auto) { return std::max(a, b); })
      .Case<AndOp>([&](auto) { return a & b; })
      .Case<OrOp>([&](auto) { return a | b; })
      .Case<XorOp>([&](auto) { return a ^ b; })
      .Case<NotOp>([&](auto) { return ~a; })
      .Case<ConvertOp>([&](ConvertOp convert) {
        bool toBool = elementOf(convert).isInteger(1);
        return toBool ? static_cast<int64_t>(a != 0) : a;
      })
      .Case<ReshapeOp>([&](auto) { return a; })
      .Case<SelectOp>([&](auto) { return a ? b : c; })
      .Case<CompareOp>([&](CompareOp compare) { return isTrue(compare, a, b); })
      .Default([](auto) { return Result(); });
}

/// Returns `number` as a value of the element type.
static int64_t wrap(mlir::RankedTensorType type, int64_t number) {
  mlir::Type element = type.getElementType();
  llvm::APInt bits(64, static_cast<uint64_t>(number));
  bits = bits.trunc(element.getIntOrFloatBitWidth());
  bool isUnsigned = element.isUnsignedInteger() || element.isInteger(1);
  return isUnsigned ? static_cast<int64_t>(bits.getZExtValue()) : bits.getSExtValue();
}

const PerDevice *Evaluator::evaluate(mlir::Value value, int depth) {
  auto [entry, isNew] = known.try_emplace(value);
  if (isNew) {
    std::unique_ptr<PerDevice> found = compute(value, depth);
    return (known[value] = std::move(found)).get(); // The table may have grown.
  }
  return entry->second.get();
}

std::unique_ptr<PerDevice> Evaluator::compute(mlir::Value value, int depth) {
  auto type = llvm::dyn_cast<mlir::RankedTensorType>(value.getType());
  if (depth == maxDepth || !type || !type.hasStaticShape() || type.getNumElements() != 1 ||
      !type.getElementType().isInteger() || type.getElementTypeBitWidth() > 32)
    return nullptr;
  if (auto argument = llvm::dyn_cast<mlir::BlockArgument>(value))
    return ofCalls(argument, depth);
  mlir::Operation *op = value.getDefiningOp();
  if (op->getNumRegions() > 0)
    return nullptr;
  mlir::DenseIntElementsAttr constant;
  if (mlir::matchPattern(value, mlir::m_Constant(&constant)))
    return std::make_unique<PerDevice>(
        numDevices, wrap(type, constant.getSplatValue<llvm::APInt>().getSExtValue()));
  if (llvm::isa<PartitionIdOp>(op)) {
    auto ids = std::make_unique<PerDevice>(numDevices);
    std::iota(ids->begin(), ids->end(), 0);
    return ids;
  }
  llvm::SmallVector<const PerDevice *, 3> operands;
  if (op->getNumOperands() == 0 || !isArithmetic(op))
    return nullptr;
  for (mlir::Value operand : op->getOperands()) {
    operands.push_back(evaluate(operand, depth + 1));
    if (!operands.back())
      return nullptr;
  }
  auto result = std::make_unique<PerDevice>();
  for (int64_t device = 0; device < numDevices; ++device) {
    auto at = [&](size_t i) { return (*operands[std::min(i, operands.size() - 1)])[device]; };
    std::optional<int64_t> number = apply(op, at(0), at(1), at(2));
    if (!number)
      return nullptr;
    result->push_back(wrap(type, *number));
  }
  return result;
}

std::unique_ptr<PerDevice> Evaluator::ofCalls(mlir::BlockArgument argument, int depth) {
  const PerDevice *all = nullptr;
  for (mlir::func::CallOp call : calls.of(argument)) {
    const PerDevice *passed = evaluate(call.getOperand(argument.getArgNumber()), depth + 1);
    if (!passed || (all && *all != *passed))
      return nullptr;
    all = passed;
  }
  return all ? std::make_unique<PerDevice>(*all) : nullptr;
}

bool mayDependOnDevice(mlir::Value value, CallSites &calls) {
  llvm::SmallVector<mlir::Value> left = {value};
  llvm::DenseSet<mlir::Value> seen = {value};
  auto look = [&](mlir::Value next) {
    auto type = llvm::dyn_cast<mlir::RankedTensorType>(next.getType());
    bool isScalar = type && type.hasStaticShape() && type.getNumElements() == 1;
    if (isScalar && seen.insert(next).second)
      left.push_back(next);
  };
  while (!left.empty()) {
    mlir::Value current = left.pop_back_val();
    auto argument = llvm::dyn_cast<mlir::BlockArgument>(current);
    if (!argument) {
      mlir::Operation *op = current.getDefiningOp();
      if (llvm::isa<PartitionIdOp>(op))
        return true;
      if (isArithmetic(op))
        llvm::for_each(op->getOperands(), look);
    } else if (auto loop = llvm::dyn_cast<WhileOp>(argument.getOwner()->getParentOp())) {
      look(loop->getOperand(argument.getArgNumber()));
      look(loop.getBody().front().getTerminator()->getOperand(argument.getArgNumber()));
    } else {
      for (mlir::func::CallOp call : calls.of(argument))
        look(call.getOperand(argument.getArgNumber()));
    }
  }
  return false;
}

} // namespace spmd
