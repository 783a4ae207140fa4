// Equal collectives become one.

#include "spmd/dialect/stablehlo/Dialect.h"
#include "spmd/passes/optimize/Optimize.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/OperationSupport.h"

namespace spmd {

namespace {

/// Compares collectives by what they compute: everything but channels and places.
struct SameCollective {
  static constexpr auto flags = mlir::OperationEquivalence::IgnoreLocations;

  static unsigned getHashValue(mlir::Operation *op) {
    return llvm::hash_combine(
        op->getName(), llvm::hash_combine_range(op->operand_begin(), op->operand_end()),
        llvm::hash_combine_range(op->result_type_begin(), op->result_type_end()));
  }
  static bool isEqual(mlir::Operation *a, mlir::Operation *b) {
    if (a == b)
      return true;
    if (a == getEmptyKey() || a == getTombstoneKey() || b == getEmptyKey() ||
        b == getTombstoneKey())
      return false;
    return mlir::OperationEquivalence::isEquivalentTo(a, b, flags);
  }
  static mlir::Operation *getEmptyKey() {
    return llvm::DenseMapInfo<mlir::Operation *>::getEmptyKey();
  }
  static mlir::Operation *getTombstoneKey() {
    return llvm::DenseMapInfo<mlir::Operation *>::getTombstoneKey();
  }
};

} // namespace

void shareEqualCollectives(mlir::ModuleOp module, Gathers gathers) {
  module.walk([&](mlir::Block *block) {
    llvm::DenseSet<mlir::Operation *, SameCollective> known;
    for (mlir::Operation &op : llvm::make_early_inc_range(*block)) {
      if (!op.hasTrait<stablehlo::Collective>() ||
          (gathers == Gathers::recompute && llvm::isa<stablehlo::AllGatherOp>(op)))
        continue;
      auto [earlier, isNew] = known.insert(&op);
      if (isNew)
        continue;
      op.replaceAllUsesWith(*earlier);
      op.erase();
    }
  });
}

void gatherForEachUser(mlir::ModuleOp module) {
  std::vector<stablehlo::AllGatherOp> all;
  module.walk([&](stablehlo::AllGatherOp op) { all.push_back(op); });
  for (stablehlo::AllGatherOp gather : all) {
    llvm::DenseMap<mlir::Operation *, mlir::Operation *> ownOf;
    mlir::Operation *first = nullptr;
    for (mlir::Operation *user : gather->getUsers())
      if (!first || (user->getBlock() == first->getBlock() && user->isBeforeInBlock(first)))
        first = user;
    for (mlir::OpOperand &use : llvm::make_early_inc_range(gather->getUses())) {
      mlir::Operation *user = use.getOwner();
      // What another block reads may be read there in each turn.
      if (user == first || user->getBlock() != gather->getBlock())
        continue;
      mlir::Operation *&own = ownOf[user];
      if (!own)
        own = mlir::OpBuilder(user).clone(*gather);
      use.set(own->getResult(llvm::cast<mlir::OpResult>(use.get()).getResultNumber()));
    }
  }
}

} // namespace spmd
