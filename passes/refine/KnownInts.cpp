#include "spmd/passes/refine/KnownInts.h"

#include "spmd/dialect/stablehlo/Dialect.h"

#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

namespace spmd {

namespace hlo = stablehlo;
using llvm::APInt;
using mlir::Operation;
using mlir::RankedTensorType;
using mlir::Value;

using Found = std::optional<Ints>;
using Dims = llvm::ArrayRef<int64_t>;

static RankedTensorType tensorType(Value value) {
  return llvm::cast<RankedTensorType>(value.getType());
}

static unsigned widthOf(Value value) {
  mlir::Type element = tensorType(value).getElementType();
  return element.isIndex() ? 64 : element.getIntOrFloatBitWidth();
}

/// i1 counts as unsigned.
static bool isSigned(Value value) {
  mlir::Type element = tensorType(value).getElementType();
  return !element.isInteger(1) && !element.isUnsignedInteger();
}

bool KnownInts::canHold(mlir::Type type) {
  auto tensor = llvm::dyn_cast<RankedTensorType>(type);
  if (!tensor || !tensor.hasStaticShape() || !tensor.getElementType().isIntOrIndex())
    return false;
  int64_t count = 1;
  for (int64_t size : tensor.getShape()) {
    if (size > mostElements)
      return false;
    count = std::min(count * size, mostElements + 1);
  }
  return count <= mostElements;
}

const Ints *KnownInts::lookup(Value value) const {
  auto found = known.find(value);
  return found == known.end() ? nullptr : &found->second;
}

std::optional<llvm::SmallVector<int64_t>> KnownInts::numbers(Value value) const {
  const Ints *elements = lookup(value);
  if (!elements)
    return std::nullopt;
  bool hasSign = isSigned(value);
  return llvm::map_to_vector(*elements, [&](const APInt &each) {
    return hasSign ? each.getSExtValue() : static_cast<int64_t>(each.getLimitedValue(INT64_MAX));
  });
}

//===- Elementwise ---------------------------------------------------------===//

/// By zero: all bits set, as the specification leaves open and every other execution here does.
static APInt quotient(const APInt &a, const APInt &b, bool hasSign) {
  if (b.isZero())
    return APInt::getAllOnes(a.getBitWidth());
  return hasSign ? a.sdiv(b) : a.udiv(b);
}
static APInt remainder(const APInt &a, const APInt &b, bool hasSign) {
  if (b.isZero())
    return a;
  return hasSign ? a.srem(b) : a.urem(b);
}

static APInt shifted(Operation *op, const APInt &a, const APInt &by) {
  unsigned width = a.getBitWidth();
  bool isArithmetic = llvm::isa<hlo::ShiftRightArithmeticOp>(op);
  if (by.uge(width))
    return isArithmetic && a.isNegative() ? APInt::getAllOnes(width) : APInt::getZero(width);
  return llvm::isa<hlo::ShiftLeftOp>(op) ? a.shl(by) : isArithmetic ? a.ashr(by) : a.lshr(by);
}

static bool holds(hlo::ComparisonDirection direction, const APInt &a, const APInt &b,
                  bool hasSign) {
  bool less = hasSign ? a.slt(b) : a.ult(b);
  switch (direction) {
  case hlo::ComparisonDirection::EQ:
    return a == b;
  case hlo::ComparisonDirection::NE:
    return a != b;
  case hlo::ComparisonDirection::LT:
    return less;
  case hlo::ComparisonDirection::LE:
    return less || a == b;
  case hlo::ComparisonDirection::GT:
    return !less && a != b;
  case hlo::ComparisonDirection::GE:
    return !less;
  }
  return false;
}

/// Returns one element of the result of an elementwise op, from those of its operands.
static std::optional<APInt> elementOf(Operation *op, llvm::ArrayRef<APInt> in) {
  using Result = std::optional<APInt>;
  bool hasSign = isSigned(op->getOperand(0));
  auto larger = [&](const APInt &a, const APInt &b) {
    return hasSign ? llvm::APIntOps::smax(a, b) : llvm::APIntOps::umax(a, b);
  };
  auto smaller = [&](const APInt &a, const APInt &b) {
    return hasSign ? llvm::APIntOps::smin(a, b) : llvm::APIntOps::umin(a, b);
  };
  return llvm::TypeSwitch<Operation *, Result>(op)
      .Case<hlo::AbsOp>([&](auto) { return hasSign ? in[0].abs() : in[0]; })
      .Case<hlo::NegOp>([&](auto) { return -in[0]; })
      .Case<hlo::NotOp>([&](auto) { return ~in[0]; })
      .Case<hlo::SignOp>([&](auto) {
        unsigned width = in[0].getBitWidth();
        return hasSign && in[0].isNegative() ? APInt::getAllOnes(width)
                                             : APInt(width, in[0].isZero() ? 0 : 1);
      })
      .Case<hlo::ConvertOp>([&](hlo::ConvertOp convert) -> Result {
        unsigned width = widthOf(convert.getResult());
        if (width == 1)
          return APInt(1, in[0].isZero() ? 0 : 1);
        return hasSign ? in[0].sextOrTrunc(width) : in[0].zextOrTrunc(width);
      })
      .Case<hlo::AddOp>(
          [&](auto) { return in[0].getBitWidth() == 1 ? in[0] | in[1] : in[0] + in[1]; })
      .Case<hlo::SubtractOp>([&](auto) { return in[0] - in[1]; })
      .Case<hlo::MulOp>([&](auto) { return in[0] * in[1]; })
      .Case<hlo::DivOp>([&](auto) { return quotient(in[0], in[1], hasSign); })
      .Case<hlo::RemOp>([&](auto) { return remainder(in[0], in[1], hasSign); })
      .Case<hlo::MaxOp>([&](auto) { return larger(in[0], in[1]); })
      .Case<hlo::MinOp>([&](auto) { return smaller(in[0], in[1]); })
      .Case<hlo::AndOp>([&](auto) { return in[0] & in[1]; })
      .Case<hlo::OrOp>([&](auto) { return in[0] | in[1]; })
      .Case<hlo::XorOp>([&](auto) { return in[0] ^ in[1]; })
      .Case<hlo::ShiftLeftOp, hlo::ShiftRightLogicalOp, hlo::ShiftRightArithmeticOp>(
          [&](auto) { return shifted(op, in[0], in[1]); })
      .Case<hlo::CompareOp>([&](hlo::CompareOp compare) {
        return APInt(1, holds(compare.getComparisonDirection(), in[0], in[1], hasSign));
      })
      .Case<hlo::SelectOp>([&](auto) { return in[0].isZero() ? in[2] : in[1]; })
      .Case<hlo::ClampOp>([&](auto) { return smaller(larger(in[1], in[0]), in[2]); })
      .Default([](auto) { return std::nullopt; });
}

static Found elementwise(Operation *op, llvm::ArrayRef<const Ints *> operands) {
  size_t count = tensorType(op->getResult(0)).getNumElements();
  for (const Ints *operand : operands)
    if (operand->size() != 1 && operand->size() != count)
      return std::nullopt;
  Ints result;
  for (size_t i = 0; i < count; ++i) {
    llvm::SmallVector<APInt, 3> in;
    for (const Ints *operand : operands) // Of a select or clamp, one may be a scalar.
      in.push_back((*operand)[operand->size() == 1 ? 0 : i]);
    std::optional<APInt> element = elementOf(op, in);
    if (!element)
      return std::nullopt;
    result.push_back(*element);
  }
  return result;
}

//===- Rearranging ---------------------------------------------------------===//

/// Takes each element of the result from where `source` says, given its index.
static Ints gathered(Dims shape, llvm::function_ref<APInt(Dims)> source) {
  Ints result;
  llvm::SmallVector<int64_t> index(shape.size(), 0);
  if (llvm::is_contained(shape, 0))
    return result;
  while (true) {
    result.push_back(source(index));
    int64_t dim = shape.size();
    for (--dim; dim >= 0; --dim) {
      if (++index[dim] < shape[dim])
        break;
      index[dim] = 0;
    }
    if (dim < 0)
      return result;
  }
}

static int64_t flatIndex(Dims shape, Dims index) {
  int64_t flat = 0;
  for (auto [size, at] : llvm::zip(shape, index))
    flat = flat * size + at;
  return flat;
}

static Ints broadcast(hlo::BroadcastInDimOp op, const Ints &operand) {
  Dims from = tensorType(op.getOperand()).getShape(), dims = op.getBroadcastDimensions();
  return gathered(tensorType(op.getResult()).getShape(), [&](Dims index) {
    llvm::SmallVector<int64_t> at;
    for (auto [size, dim] : llvm::zip(from, dims))
      at.push_back(size == 1 ? 0 : index[dim]);
    return operand[flatIndex(from, at)];
  });
}

static Ints slice(hlo::SliceOp op, const Ints &operand) {
  Dims from = tensorType(op.getOperand()).getShape();
  return gathered(tensorType(op.getResult()).getShape(), [&](Dims index) {
    llvm::SmallVector<int64_t> at;
    for (auto [place, start, stride] : llvm::zip(index, op.getStartIndices(), op.getStrides()))
      at.push_back(start + place * stride);
    return operand[flatIndex(from, at)];
  });
}

static Ints transpose(hlo::TransposeOp op, const Ints &operand) {
  Dims from = tensorType(op.getOperand()).getShape();
  return gathered(tensorType(op.getResult()).getShape(), [&](Dims index) {
    llvm::SmallVector<int64_t> at(index.size());
    for (auto [place, dim] : llvm::zip(index, op.getPermutation()))
      at[dim] = place;
    return operand[flatIndex(from, at)];
  });
}

static Ints reverse(hlo::ReverseOp op, const Ints &operand) {
  Dims shape = tensorType(op.getOperand()).getShape();
  return gathered(shape, [&](Dims index) {
    llvm::SmallVector<int64_t> at(index);
    for (int64_t dim : op.getDimensions())
      at[dim] = shape[dim] - 1 - at[dim];
    return operand[flatIndex(shape, at)];
  });
}

static Ints concatenate(hlo::ConcatenateOp op, llvm::ArrayRef<const Ints *> operands) {
  int64_t axis = op.getDimension();
  return gathered(tensorType(op.getResult()).getShape(), [&](Dims index) {
    llvm::SmallVector<int64_t> at(index);
    for (auto [input, elements] : llvm::zip(op.getInputs(), operands)) {
      Dims from = tensorType(input).getShape();
      if (at[axis] < from[axis])
        return (*elements)[flatIndex(from, at)];
      at[axis] -= from[axis];
    }
    assert(false && "the verifier compares the sizes");
    return APInt();
  });
}

static Ints iota(hlo::IotaOp op) {
  unsigned width = widthOf(op.getResult());
  return gathered(tensorType(op.getResult()).getShape(), [&](Dims index) {
    return APInt(64, index[op.getIotaDimension()]).zextOrTrunc(width);
  });
}

//===- All -----------------------------------------------------------------===//

static Found resultOf(Operation *op, llvm::ArrayRef<const Ints *> operands) {
  return llvm::TypeSwitch<Operation *, Found>(op)
      .Case<hlo::ReshapeOp>([&](auto) { return *operands[0]; })
      .Case<hlo::BroadcastInDimOp>([&](auto each) { return broadcast(each, *operands[0]); })
      .Case<hlo::SliceOp>([&](auto each) { return slice(each, *operands[0]); })
      .Case<hlo::TransposeOp>([&](auto each) { return transpose(each, *operands[0]); })
      .Case<hlo::ReverseOp>([&](auto each) { return reverse(each, *operands[0]); })
      .Case<hlo::ConcatenateOp>([&](auto each) { return concatenate(each, operands); })
      .Case<hlo::IotaOp>([&](auto each) { return iota(each); })
      .Default([&](auto) { return operands.empty() ? std::nullopt : elementwise(op, operands); });
}

void KnownInts::evaluate(Operation *op) {
  if (op->getNumRegions() > 0 || op->getNumResults() == 0 ||
      !llvm::all_of(op->getResultTypes(), canHold))
    return;
  mlir::DenseIntElementsAttr constant;
  if (op->getNumResults() == 1 && mlir::matchPattern(op, mlir::m_Constant(&constant)))
    return set(op->getResult(0), llvm::to_vector_of<APInt, 4>(constant.getValues<APInt>()));
  llvm::SmallVector<const Ints *> operands;
  for (Value operand : op->getOperands())
    operands.push_back(lookup(operand));
  if (llvm::is_contained(operands, nullptr))
    return;
  if (llvm::isa<hlo::OptimizationBarrierOp>(op)) {
    for (auto [i, result] : llvm::enumerate(op->getResults()))
      set(result, Ints(*lookup(op->getOperand(i))));
    return;
  }
  if (op->getNumResults() == 1)
    if (Found found = resultOf(op, operands))
      set(op->getResult(0), *std::move(found));
}

mlir::Attribute constantOf(RankedTensorType type, const Ints &elements) {
  return mlir::DenseElementsAttr::get(type, llvm::ArrayRef<APInt>(elements));
}

} // namespace spmd
