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

#include "mlir/IR/OperationSupport.h"

namespace spmd {

namespace {

using mlir::OperationEquivalence;

/// So many ways to spread one value are told apart.
constexpr size_t mostWays = 8;

/// Whether `op` makes a tensor of one with at most an eighth as many elements: that one is held
/// instead by who makes it again.
bool spreads(mlir::Operation *op) {
  if (op->getNumOperands() != 1 || op->getNumResults() != 1 ||
      op->getOperand(0).getType() == op->getResult(0).getType())
    return false;
  mlir::RankedTensorType from = tensorTypeOf(op->getOperand(0)),
                         to = tensorTypeOf(op->getResult(0));
  return from && to && from.hasStaticShape() && to.hasStaticShape() &&
         from.getNumElements() <= to.getNumElements() / 8;
}

/// Returns the op of one operand that makes what `op` reads, for this alone; null if it is another.
mlir::Operation *linkBefore(mlir::Operation *op) {
  mlir::Value value = op->getOperand(0);
  mlir::Operation *maker = value.getDefiningOp();
  bool isLink = maker && value.hasOneUse() && maker->getBlock() == op->getBlock() &&
                maker->getNumOperands() == 1 && maker->getNumResults() == 1;
  return isLink ? maker : nullptr;
}

/// Returns the value that others read, too, from which `op` leads on; null if that is a constant,
/// which nobody holds, or if there is none.
mlir::Value rootOf(mlir::Operation *op) {
  while (mlir::Operation *before = linkBefore(op))
    op = before;
  mlir::Value value = op->getOperand(0);
  mlir::Operation *maker = value.getDefiningOp();
  bool isConstant = maker && maker->getNumOperands() == 0;
  return isConstant || value.hasOneUse() ? mlir::Value() : value;
}

/// Whether two ops make the same of one value.
bool areAlike(mlir::Operation *a, mlir::Operation *b) {
  while (a && b &&
         OperationEquivalence::isEquivalentTo(a, b, OperationEquivalence::ignoreValueEquivalence,
                                              nullptr, OperationEquivalence::IgnoreLocations) &&
         AlikeValues::isLink(a)) {
    if (a->getOperand(0) == b->getOperand(0))
      return true;
    a = linkBefore(a);
    b = linkBefore(b);
  }
  return false;
}

void shareIn(mlir::Block &block, StrategyCache &strategies) {
  auto isReadThrough = [&](mlir::Operation *op) {
    return llvm::all_of(op->getUsers(), [&](mlir::Operation *user) {
      return user->getBlock() == &block && isElementwise(user, strategies);
    });
  };
  llvm::DenseMap<mlir::Value, llvm::SmallVector<mlir::Operation *, 1>> known; // By root.
  llvm::DenseMap<mlir::Operation *, bool> firsts; // Those that others are like.
  std::vector<mlir::Operation *> unread;          // What leads to one may be known itself.
  for (mlir::Operation &op : block) {
    for (mlir::Region &region : op.getRegions())
      for (mlir::Block &inner : region)
        shareIn(inner, strategies);
    mlir::Value root = spreads(&op) ? rootOf(&op) : nullptr;
    if (!root)
      continue;
    llvm::SmallVector<mlir::Operation *, 1> &ways = known[root];
    auto first = llvm::find_if(ways, [&](mlir::Operation *way) { return areAlike(way, &op); });
    if (first == ways.end()) {
      if (ways.size() < mostWays)
        ways.push_back(&op);
      continue;
    }
    auto [entry, isNew] = firsts.try_emplace(*first, false);
    if (isNew)
      entry->second = isReadThrough(*first);
    if (!entry->second || !isReadThrough(&op))
      continue;
    op.getResult(0).replaceAllUsesWith((*first)->getResult(0));
    unread.push_back(&op);
  }
  llvm::for_each(unread, eraseUnused);
}

} // namespace

void shareSpread(mlir::ModuleOp module) {
  StrategyCache strategies;
  shareIn(*module.getBody(), strategies);
}

} // namespace spmd
