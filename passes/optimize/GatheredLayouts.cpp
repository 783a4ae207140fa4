#include "spmd/passes/optimize/GatheredLayouts.h"

#include "spmd/passes/optimize/Collecting.h"

#include "mlir/IR/Builders.h"

namespace spmd {

using namespace stablehlo;

static mlir::RankedTensorType tensorOf(mlir::Value value) {
  return llvm::cast<mlir::RankedTensorType>(value.getType());
}

static int64_t numBefore(mlir::RankedTensorType type, int64_t dim) {
  int64_t product = 1;
  for (int64_t size : type.getShape().take_front(dim))
    product *= size;
  return product;
}

/// Returns the dim of what `op` reads that `dim` of its result is gathered along alike; -1 if `op`
/// does more than to put elements in another order, or puts those along `dim` in another.
static int64_t dimBefore(mlir::Operation *op, int64_t dim) {
  if (auto transpose = llvm::dyn_cast<TransposeOp>(op))
    return transpose.getPermutation()[dim];
  if (auto reverse = llvm::dyn_cast<ReverseOp>(op))
    return llvm::is_contained(reverse.getDimensions(), dim) ? -1 : dim;
  if (!llvm::isa<ReshapeOp>(op))
    return -1;
  // Blocks of all elements from a dim on are put side by side, whatever dims they are written as.
  mlir::RankedTensorType before = tensorOf(op->getOperand(0)), after = tensorOf(op->getResult(0));
  int64_t blocks = numBefore(after, dim), found = -1;
  for (int64_t each = 0; each < before.getRank(); ++each)
    if (numBefore(before, each) == blocks && (found < 0 || before.getDimSize(each) > 1))
      found = each;
  return found;
}

static bool gatherAlike(AllGatherOp a, AllGatherOp b) {
  return a.getReplicaGroupsAttr() == b.getReplicaGroupsAttr() && numberingOf(a) == numberingOf(b) &&
         a->getDiscardableAttrDictionary() == b->getDiscardableAttrDictionary();
}

llvm::SmallVector<GatheredLayouts::Ordered, 4> GatheredLayouts::ordersOf(AllGatherOp gather) {
  llvm::SmallVector<Ordered, 4> orders = {
      {gather->getOperand(0), static_cast<int64_t>(gather.getAllGatherDim())}};
  while (orders.size() <= AlikeValues::mostLinks) {
    mlir::Operation *op = orders.back().value.getDefiningOp();
    int64_t dim =
        op && op->getBlock() == gather->getBlock() ? dimBefore(op, orders.back().dim) : -1;
    if (dim < 0)
      break;
    orders.push_back({op->getOperand(0), dim});
  }
  return orders;
}

mlir::Value GatheredLayouts::inOrder(mlir::OpBuilder &builder, llvm::ArrayRef<Ordered> orders,
                                     size_t from, size_t to, mlir::Value value, int64_t factor) {
  while (from != to) {
    bool isBack = from < to;
    mlir::Operation *op = orders[isBack ? from : from - 1].value.getDefiningOp();
    from = isBack ? from + 1 : from - 1;
    mlir::RankedTensorType local = tensorOf(orders[from].value);
    llvm::SmallVector<int64_t> shape(local.getShape());
    shape[orders[from].dim] *= factor;
    mlir::RankedTensorType type = local.clone(shape);
    mlir::Location loc = op->getLoc();
    if (auto transpose = llvm::dyn_cast<TransposeOp>(op)) {
      llvm::SmallVector<int64_t> permutation(transpose.getPermutation());
      if (isBack)
        for (auto [place, dim] : llvm::enumerate(transpose.getPermutation()))
          permutation[dim] = static_cast<int64_t>(place);
      value = TransposeOp::create(builder, loc, type, value, permutation);
    } else if (auto reverse = llvm::dyn_cast<ReverseOp>(op)) {
      value = ReverseOp::create(builder, loc, type, value, reverse.getDimensions());
    } else {
      value = ReshapeOp::create(builder, loc, type, value);
    }
  }
  return value;
}

mlir::Value GatheredLayouts::find(AllGatherOp gather) {
  if (gather->getNumOperands() != 1 || !tensorOf(gather->getResult(0)).hasStaticShape() ||
      tensorOf(gather->getOperand(0)).getNumElements() == 0)
    return nullptr;
  llvm::SmallVector<Ordered, 4> orders = ordersOf(gather);
  int64_t dim = orders.front().dim, factor = tensorOf(gather->getResult(0)).getDimSize(dim) /
                                             tensorOf(gather->getOperand(0)).getDimSize(dim);
  for (auto [place, order] : llvm::enumerate(orders))
    for (const Known &each : known[{alike.first(order.value), order.dim}])
      if (gatherAlike(each.gather, gather)) {
        mlir::OpBuilder builder(gather);
        mlir::Value value = inOrder(builder, ordersOf(each.gather), 0, each.numBehind,
                                    each.gather->getResult(0), factor);
        return inOrder(builder, orders, place, 0, value, factor);
      }
  for (auto [place, order] : llvm::enumerate(orders))
    known[{alike.first(order.value), order.dim}].push_back({gather, place});
  return nullptr;
}

} // namespace spmd
