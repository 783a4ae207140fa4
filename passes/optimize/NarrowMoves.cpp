// What is moved is as narrow as can be: conversions pass moves where fewer bytes travel.
//
//     convert(all_gather(x : f32)) : bf16    =>   all_gather(convert(x))      half the bytes
//     all_gather(convert(x : bf16) : f32)    =>   convert(all_gather(x))      half the bytes
//
// A conversion works on single elements, and makes zero of zero, so it may be done before a move or
// behind it.

#include "spmd/dialect/spmd/ValueSharding.h"
#include "spmd/dialect/stablehlo/Dialect.h"
#include "spmd/passes/optimize/Optimize.h"

namespace spmd {

using namespace stablehlo;

static bool isMove(mlir::Operation *op) {
  return llvm::isa<AllGatherOp, AllToAllOp, CollectivePermuteOp>(op) && op->getNumOperands() == 1 &&
         op->getNumResults() == 1;
}

static mlir::Type elementOf(mlir::Value value) {
  return llvm::cast<mlir::RankedTensorType>(value.getType()).getElementType();
}

static bool narrows(mlir::Value from, mlir::Value to) {
  return spmd::elementBits(elementOf(to)) < spmd::elementBits(elementOf(from));
}

static mlir::Type withElement(mlir::Value value, mlir::Type element) {
  return llvm::cast<mlir::RankedTensorType>(value.getType()).clone(element);
}

/// Makes `move` again on `operand`, of another element type, right where it stands.
static mlir::Value moveOf(mlir::Operation *move, mlir::Value operand) {
  mlir::OpBuilder builder(move);
  mlir::Operation *other = builder.clone(*move);
  other->setOperand(0, operand);
  other->getResult(0).setType(withElement(move->getResult(0), elementOf(operand)));
  return other->getResult(0);
}

/// The only reader wants fewer bits: they are enough on the way. Returns the narrow move; null if
/// this is not so.
static mlir::Operation *convertBefore(mlir::Operation *move) {
  mlir::Value wide = move->getResult(0);
  auto convert = wide.hasOneUse() ? llvm::dyn_cast<ConvertOp>(*wide.user_begin()) : ConvertOp();
  if (!convert || convert->getBlock() != move->getBlock() || !narrows(wide, convert.getResult()))
    return nullptr;
  mlir::OpBuilder builder(move);
  mlir::Value narrow = ConvertOp::create(
      builder, convert.getLoc(), withElement(move->getOperand(0), elementOf(convert.getResult())),
      move->getOperand(0));
  mlir::Value moved = moveOf(move, narrow);
  convert.getResult().replaceAllUsesWith(moved);
  convert.erase();
  return moved.getDefiningOp();
}

/// What is moved was made of fewer bits: those can be moved. Returns the narrow move; null if this
/// is not so.
static mlir::Operation *convertBehind(mlir::Operation *move) {
  auto convert = move->getOperand(0).getDefiningOp<ConvertOp>();
  if (!convert || !narrows(convert.getResult(), convert.getOperand()))
    return nullptr;
  mlir::OpBuilder builder(move->getContext());
  mlir::Value narrow = moveOf(move, convert.getOperand());
  builder.setInsertionPointAfter(narrow.getDefiningOp());
  move->getResult(0).replaceAllUsesWith(
      ConvertOp::create(builder, convert.getLoc(), move->getResult(0).getType(), narrow));
  return narrow.getDefiningOp();
}

void narrowMoves(ModuleCollectives &found) {
  for (int32_t place = 0; place < static_cast<int32_t>(found.all().size()); ++place) {
    mlir::Operation *move = found.all()[place];
    if (!isMove(move))
      continue;
    if (mlir::Operation *narrow = convertBefore(move)) {
      found.replace(place, narrow);
      continue;
    }
    mlir::Operation *maker = move->getOperand(0).getDefiningOp();
    if (mlir::Operation *narrow = convertBehind(move)) {
      found.replace(place, narrow);
      if (maker->use_empty())
        maker->erase();
    }
  }
}

} // namespace spmd
