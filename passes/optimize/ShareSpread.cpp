// What is spread again, as a sum is over the row that it was made of, is spread once.
//
//     %1 = broadcast(%sum); %2 = divide(%x, %1); .. %8 = broadcast(%sum); %9 = divide(%y, %8)
//         =>  %1 = broadcast(%sum); %2 = divide(%x, %1); .. %9 = divide(%y, %1)
//
// Programs say it forward and backward. Whoever computes element by element reads the smaller value
// through it, and no tensor of the larger shape is made; where there are two of them, XLA's
// compiler turns each division into a product with what is spread of 1 / %sum, finds both alike
// only then, and holds that whole from the first to the second.

#include "spmd/dialect/partitioning/Partitionable.h"
#include "spmd/passes/optimize/AlikeValues.h"
#include "spmd/passes/optimize/Optimize.h"

namespace spmd {

/// Whether `op` makes a tensor of one with at most an eighth as many elements: that one is held
/// instead by who makes it again.
static bool spreads(mlir::Operation *op) {
  if (op->getNumOperands() != 1 || op->getNumResults() != 1)
    return false;
  mlir::RankedTensorType from = tensorTypeOf(op->getOperand(0)),
                         to = tensorTypeOf(op->getResult(0));
  return from && to && from.hasStaticShape() && to.hasStaticShape() &&
         from.getNumElements() <= to.getNumElements() / 8 && AlikeValues::isLink(op);
}

static void shareSpreadIn(mlir::Block &block, StrategyCache &strategies) {
  auto isReadThrough = [&](mlir::Operation *op) {
    return llvm::all_of(op->getUsers(), [&](mlir::Operation *user) {
      return user->getBlock() == &block && isElementwise(user, strategies);
    });
  };
  AlikeValues alike(&block);
  llvm::DenseMap<mlir::Operation *, bool> firsts; // Those that others are like.
  std::vector<mlir::Operation *> unread;          // Kept till the end: `alike` knows them.
  for (mlir::Operation &op : block) {
    for (mlir::Region &region : op.getRegions())
      for (mlir::Block &inner : region)
        shareSpreadIn(inner, strategies);
    if (!spreads(&op))
      continue;
    mlir::Operation *first = alike.firstAlike(&op);
    if (first == &op || !isReadThrough(&op))
      continue;
    auto [entry, isNew] = firsts.try_emplace(first, false);
    if (isNew)
      entry->second = isReadThrough(first);
    if (!entry->second)
      continue;
    op.getResult(0).replaceAllUsesWith(first->getResult(0));
    unread.push_back(&op);
  }
  llvm::for_each(unread, eraseUnused);
}

void shareSpread(mlir::ModuleOp module) {
  StrategyCache strategies;
  shareSpreadIn(*module.getBody(), strategies);
}

} // namespace spmd
