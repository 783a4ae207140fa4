// What collectives read becomes one value where it is made alike.
//
// A program that updates a slice in place says the slice once for each operand of the update. Each
// is a value of its own, and what is gathered of them is alike only for those who look behind them.

#include "spmd/dialect/stablehlo/Dialect.h"
#include "spmd/passes/optimize/Optimize.h"

#include "mlir/IR/OperationSupport.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace spmd {

namespace {

using Chain = llvm::SmallVector<mlir::Operation *, 8>;

struct SameOp : llvm::DenseMapInfo<mlir::Operation *> {
  static unsigned getHashValue(mlir::Operation *op) {
    return static_cast<unsigned>(mlir::OperationEquivalence::computeHash(
        op, mlir::OperationEquivalence::directHashValue,
        mlir::OperationEquivalence::ignoreHashValue, mlir::OperationEquivalence::IgnoreLocations));
  }
  static bool isEqual(mlir::Operation *a, mlir::Operation *b) {
    if (a == b || isNone(a) || isNone(b))
      return a == b;
    return mlir::OperationEquivalence::isEquivalentTo(a, b,
                                                      mlir::OperationEquivalence::IgnoreLocations);
  }

private:
  static bool isNone(mlir::Operation *op) { return op == getEmptyKey() || op == getTombstoneKey(); }
};

/// The ops of one block that were looked at, and the first of each kind.
class SharedOps {
public:
  explicit SharedOps(mlir::Block *block) : block(block) {}

  /// Makes one of what leads to `value` and is made alike elsewhere.
  void shareUpTo(mlir::Value value, ModuleCollectives &found) {
    Chain chain;
    for (mlir::Operation *op = value.getDefiningOp(); op && isLink(op) && seen.insert(op).second;
         op = op->getOperand(0).getDefiningOp())
      chain.push_back(op);
    for (mlir::Operation *op : llvm::reverse(chain)) {
      auto [entry, isNew] = known.insert(op);
      if (isNew)
        continue;
      mlir::Operation *first = *entry;
      if (op->isBeforeInBlock(first))
        first->moveBefore(op); // It reads what `op` does.
      op->replaceAllUsesWith(first);
      found.erase(op);
      seen.erase(op);
    }
  }

private:
  /// Whether `op` shows one value in another shape or type: a slice, a reshape. What keeps the type
  /// computes, or is a barrier, which keeps what is alike apart.
  bool isLink(mlir::Operation *op) const {
    return op->getBlock() == block && op->getNumOperands() == 1 && op->getNumResults() == 1 &&
           op->getNumRegions() == 0 && op->getOperand(0).getType() != op->getResult(0).getType() &&
           !op->hasTrait<stablehlo::Collective>() && mlir::isMemoryEffectFree(op);
  }

  mlir::Block *block;
  llvm::DenseSet<mlir::Operation *, SameOp> known;
  llvm::DenseSet<mlir::Operation *> seen;
};

} // namespace

void shareOperands(const ModuleCollectives::InBlock &block, ModuleCollectives &found) {
  SharedOps shared(block.block);
  for (int32_t place : block.members)
    if (mlir::Operation *op = found.all()[place]; op && op->hasTrait<stablehlo::Collective>())
      for (unsigned i = 0; i < op->getNumOperands(); ++i)
        shared.shareUpTo(op->getOperand(i), found);
}

} // namespace spmd
