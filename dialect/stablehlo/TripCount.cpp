#include "spmd/dialect/stablehlo/TripCount.h"

#include "llvm/Support/MathExtras.h"

namespace spmd {

namespace {

using Direction = stablehlo::ComparisonDirection;

/// The comparison with its sides exchanged.
Direction mirrored(Direction direction) {
  switch (direction) {
  case Direction::LT:
    return Direction::GT;
  case Direction::LE:
    return Direction::GE;
  case Direction::GT:
    return Direction::LT;
  case Direction::GE:
    return Direction::LE;
  default:
    return direction;
  }
}

class Counter {
public:
  Counter(stablehlo::WhileOp loop, llvm::function_ref<mlir::Value(mlir::Value)> origin)
      : loop(loop), origin(origin), condition(loop->getRegion(0).front()),
        body(loop->getRegion(1).front()) {}

  std::optional<int64_t> count() {
    auto compare =
        origin(condition.getTerminator()->getOperand(0)).getDefiningOp<stablehlo::CompareOp>();
    if (!compare || compare->getBlock() != &condition)
      return std::nullopt;
    mlir::Value left = compare->getOperand(0), right = compare->getOperand(1);
    Direction direction = compare.getComparisonDirection();
    if (std::optional<int64_t> bound = constantIn(right))
      return countFrom(left, direction, *bound);
    if (std::optional<int64_t> bound = constantIn(left))
      return countFrom(right, mirrored(direction), *bound);
    return std::nullopt;
  }

private:
  std::optional<int64_t> valueOf(mlir::Value value) {
    auto constant = origin(value).getDefiningOp<stablehlo::ConstantOp>();
    if (!constant)
      return std::nullopt;
    auto elements = llvm::dyn_cast<mlir::DenseIntElementsAttr>(constant.getValue());
    if (!elements || elements.getNumElements() != 1)
      return std::nullopt;
    mlir::Type type = elements.getElementType();
    llvm::APInt number = *elements.value_begin<llvm::APInt>();
    if (type.isUnsignedInteger())
      return number.getActiveBits() < 64 ? std::optional<int64_t>(number.getZExtValue())
                                         : std::nullopt;
    return number.getSExtValue();
  }

  /// The number that a value within the loop has in every turn.
  std::optional<int64_t> constantIn(mlir::Value value) {
    if (std::optional<int64_t> number = valueOf(value))
      return number;
    std::optional<unsigned> carry = carryOf(value);
    if (!carry || next(*carry) != body.getArgument(*carry))
      return std::nullopt;
    return valueOf(loop->getOperand(*carry));
  }

  /// What a turn hands on to the next.
  mlir::Value next(unsigned carry) { return origin(body.getTerminator()->getOperand(carry)); }

  /// Which carry a value is at the start of a turn.
  std::optional<unsigned> carryOf(mlir::Value value) {
    auto argument = llvm::dyn_cast<mlir::BlockArgument>(origin(value));
    if (!argument || (argument.getOwner() != &condition && argument.getOwner() != &body))
      return std::nullopt;
    return argument.getArgNumber();
  }

  /// By how much a carry moves in a turn.
  std::optional<int64_t> stepOf(unsigned carry) {
    mlir::Operation *step = next(carry).getDefiningOp();
    if (!step || !llvm::isa<stablehlo::AddOp, stablehlo::SubtractOp>(step))
      return std::nullopt;
    mlir::Value left = origin(step->getOperand(0)), right = origin(step->getOperand(1));
    bool isSum = llvm::isa<stablehlo::AddOp>(step);
    if (isSum && right == body.getArgument(carry))
      std::swap(left, right);
    std::optional<int64_t> size = constantIn(right);
    if (left != body.getArgument(carry) || !size || *size == INT64_MIN)
      return std::nullopt;
    return isSum ? *size : -*size;
  }

  std::optional<int64_t> countFrom(mlir::Value counter, Direction direction, int64_t bound) {
    std::optional<unsigned> carry = carryOf(counter);
    if (!carry)
      return std::nullopt;
    std::optional<int64_t> first = valueOf(loop->getOperand(*carry)), step = stepOf(*carry);
    int64_t distance;
    if (!first || !step || *step == 0 || llvm::SubOverflow(bound, *first, distance))
      return std::nullopt;
    if (*step < 0) { // Counts down: seen from the other side it counts up.
      if (distance == INT64_MIN)
        return std::nullopt;
      direction = mirrored(direction), distance = -distance, step = -*step;
    }
    switch (direction) {
    case Direction::LT:
      return distance <= 0 ? 0 : (distance - 1) / *step + 1;
    case Direction::LE:
      if (distance < 0)
        return 0;
      return distance < INT64_MAX ? std::optional(distance / *step + 1) : std::nullopt;
    case Direction::NE:
      return distance >= 0 && distance % *step == 0 ? std::optional(distance / *step)
                                                    : std::nullopt;
    default: { // Ends at once, or only when the numbers wrap around.
      bool enters = direction == Direction::EQ   ? distance == 0
                    : direction == Direction::GT ? distance < 0
                                                 : distance <= 0;
      return enters ? std::nullopt : std::optional<int64_t>(0);
    }
    }
  }

  stablehlo::WhileOp loop;
  llvm::function_ref<mlir::Value(mlir::Value)> origin;
  mlir::Block &condition, &body;
};

} // namespace

std::optional<int64_t> tripCountOf(stablehlo::WhileOp loop,
                                   llvm::function_ref<mlir::Value(mlir::Value)> origin) {
  return Counter(loop, origin).count();
}

} // namespace spmd
