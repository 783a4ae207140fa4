#include "spmd/passes/weights/Users.h"

namespace spmd {

using namespace stablehlo;

namespace {

/// What is made of a value by more ops than these is left alone.
constexpr int maxOps = 32;

/// Whether the result of `op` is joined of its pieces. It is as small as a weight; what others make
/// is passed on in pieces.
bool isJoined(mlir::Operation *op) { return llvm::isa<DotGeneralOp, ReduceOp>(op); }

} // namespace

std::optional<double> Users::cost(mlir::Value value, int64_t dim) {
  add(value, dim);
  return hasProduct && isPossible ? std::optional(total) : std::nullopt;
}

bool Users::canChange(mlir::Value value, int64_t dim) const {
  return llvm::all_of(changers, [&](const DimChanger &changer) {
    return changer.layoutOf(value, dim).has_value();
  });
}

void Users::add(mlir::Value value, int64_t dim) {
  for (mlir::OpOperand &use : value.getUses()) {
    mlir::Operation *op = use.getOwner();
    std::optional<int64_t> summed = DimChanger::summedWith(use, dim);
    std::optional<int64_t> passed = summed ? summed : changers.front().resultDim(use, dim);
    isPossible &= passed && ++numOps <= maxOps && !pinOf(op->getResult(0));
    if (!isPossible)
      return;
    mlir::Value changed = summed ? op->getOperand(1 - use.getOperandNumber()) : op->getResult(0);
    isPossible &= canChange(changed, *passed);
    hasProduct |= llvm::isa<DotGeneralOp>(op);
    if (isPossible && isJoined(op))
      total += bytes.alongDim(changed, *passed);
    else
      add(changed, *passed);
  }
}

void Users::remake(mlir::Value value, int64_t dim, llvm::ArrayRef<mlir::Value> pieces,
                   llvm::SmallVectorImpl<mlir::Operation *> &unused) {
  for (mlir::OpOperand &use : llvm::make_early_inc_range(value.getUses())) {
    mlir::Operation *op = use.getOwner();
    mlir::OpBuilder builder(op);
    if (std::optional<int64_t> other = DimChanger::summedWith(use, dim)) {
      op->getResult(0).replaceAllUsesWith(sum(builder, use, dim, *other, pieces));
      unused.push_back(op);
      continue;
    }
    int64_t passed = *changers.front().resultDim(use, dim);
    Values made;
    for (auto [changer, piece] : llvm::zip(changers, pieces)) {
      Values operands(op->getOperands());
      operands[use.getOperandNumber()] = piece;
      made.push_back(changer.remake(builder, op, passed, operands));
    }
    if (isJoined(op)) {
      op->getResult(0).replaceAllUsesWith(join(builder, op->getResult(0), passed, made));
      unused.push_back(op);
    } else {
      remake(op->getResult(0), passed, made, unused);
    }
  }
}

mlir::Value Users::sum(mlir::OpBuilder &builder, mlir::OpOperand &use, int64_t dim,
                       int64_t otherDim, llvm::ArrayRef<mlir::Value> pieces) const {
  mlir::Operation *op = use.getOwner();
  mlir::Value other = op->getOperand(1 - use.getOperandNumber()), sum;
  for (auto [changer, piece] : llvm::zip(changers, pieces)) {
    mlir::Value product =
        changer.remakeSum(builder, use, dim, piece, changer.apply(builder, other, otherDim));
    if (!sum) {
      sum = product;
      continue;
    }
    auto added = AddOp::create(builder, op->getLoc(), product.getType(), sum, product);
    setShardings(added, {shardingOf(op->getResult(0))});
    sum = added;
  }
  return sum;
}

mlir::Value Users::join(mlir::OpBuilder &builder, mlir::Value before, int64_t dim,
                        llvm::ArrayRef<mlir::Value> pieces) const {
  mlir::Operation *joined =
      pieces.size() == 1
          ? ReshapeOp::create(builder, before.getLoc(), before.getType(), pieces.front())
          : ConcatenateOp::create(builder, before.getLoc(), before.getType(), pieces,
                                  static_cast<uint64_t>(dim));
  setShardings(joined, {shardingOf(before)});
  return joined->getResult(0);
}

} // namespace spmd
