// What is moved is as narrow as can be: conversions pass moves where fewer bytes travel.
//
//     convert(all_gather(x : f32)) : bf16    =>   all_gather(convert(x))      half the bytes
//     all_gather(convert(x : bf16) : f32)    =>   convert(all_gather(x))      half the bytes
//
// A conversion works on single elements, and makes zero of zero, so it may be done before a move or
// behind it, and before or behind what only puts elements elsewhere, as reshapes do beside moves
// along several dims.

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

/// Between a move and a conversion, so many ops may put elements elsewhere.
static constexpr int maxLinks = 8;

/// Whether `op` gives elements of its only operand, whatever they are.
static bool putsElsewhere(mlir::Operation *op) {
  return llvm::isa<ReshapeOp, TransposeOp, SliceOp, ReverseOp>(op);
}

/// The only reader wants fewer bits: they are enough on the way. Returns the narrow move; null if
/// this is not so.
static mlir::Operation *convertBefore(mlir::Operation *move) {
  mlir::Value wide = move->getResult(0);
  llvm::SmallVector<mlir::Operation *, maxLinks> links; // Each is read by the next one alone.
  mlir::Operation *reader = wide.hasOneUse() ? *wide.user_begin() : nullptr;
  while (reader && reader->getBlock() == move->getBlock() && links.size() < maxLinks &&
         putsElsewhere(reader)) {
    links.push_back(reader);
    reader = reader->hasOneUse() ? *reader->user_begin() : nullptr;
  }
  auto convert = llvm::dyn_cast_if_present<ConvertOp>(reader);
  if (!convert || convert->getBlock() != move->getBlock() || !narrows(wide, convert.getResult()))
    return nullptr;
  mlir::Type element = elementOf(convert.getResult());
  mlir::OpBuilder builder(move);
  mlir::Value narrow = ConvertOp::create(
      builder, convert.getLoc(), withElement(move->getOperand(0), element), move->getOperand(0));
  mlir::Value moved = moveOf(move, narrow), last = moved;
  wide.replaceAllUsesWith(moved);
  for (mlir::Operation *link : links) {
    last = link->getResult(0);
    last.setType(withElement(last, element));
  }
  convert.getResult().replaceAllUsesWith(last);
  convert.erase();
  return moved.getDefiningOp();
}

/// What is moved was made of fewer bits: those can be moved. Returns the narrow move; null if this
/// is not so.
static mlir::Operation *convertBehind(mlir::Operation *move) {
  llvm::SmallVector<mlir::Operation *, maxLinks> links; // The last one first.
  mlir::Operation *maker = move->getOperand(0).getDefiningOp();
  while (maker && links.size() < maxLinks && putsElsewhere(maker)) {
    links.push_back(maker);
    maker = maker->getOperand(0).getDefiningOp();
  }
  auto convert = llvm::dyn_cast_if_present<ConvertOp>(maker);
  if (!convert || !narrows(convert.getResult(), convert.getOperand()))
    return nullptr;
  mlir::OpBuilder builder(move);
  mlir::Value narrow = convert.getOperand();
  for (mlir::Operation *link : llvm::reverse(links)) {
    mlir::Operation *other = builder.clone(*link);
    other->setOperand(0, narrow);
    other->getResult(0).setType(withElement(link->getResult(0), elementOf(narrow)));
    narrow = other->getResult(0);
  }
  mlir::Value moved = moveOf(move, narrow);
  builder.setInsertionPointAfter(moved.getDefiningOp());
  move->getResult(0).replaceAllUsesWith(
      ConvertOp::create(builder, convert.getLoc(), move->getResult(0).getType(), moved));
  return moved.getDefiningOp();
}

/// Erases `op` and what led to it as far as nobody reads it any more, between a conversion and
/// what was moved.
static void eraseUnread(mlir::Operation *op) {
  while (op && op->use_empty() && (putsElsewhere(op) || llvm::isa<ConvertOp>(op))) {
    mlir::Operation *maker = op->getOperand(0).getDefiningOp();
    op->erase();
    op = maker;
  }
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
      eraseUnread(maker);
    }
  }
}

} // namespace spmd
