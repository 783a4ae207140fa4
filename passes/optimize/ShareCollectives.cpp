// Equal collectives become one.

#include "spmd/dialect/stablehlo/Dialect.h"
#include "spmd/passes/optimize/Optimize.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/OperationSupport.h"

namespace spmd {

namespace {

/// A collective with a hash of what it computes: everything but channels and places.
struct Hashed {
  mlir::Operation *op;
  unsigned hash;

  explicit Hashed(mlir::Operation *op)
      : op(op), hash(static_cast<unsigned>(llvm::hash_combine(
                    op->getName(), llvm::hash_combine_range(op->operand_begin(), op->operand_end()),
                    llvm::hash_combine_range(op->result_type_begin(), op->result_type_end())))) {}
  Hashed(mlir::Operation *op, unsigned hash) : op(op), hash(hash) {}
};

struct SameCollective {
  using Pointer = llvm::DenseMapInfo<mlir::Operation *>;

  static unsigned getHashValue(const Hashed &each) { return each.hash; }
  static bool isEqual(const Hashed &a, const Hashed &b) {
    if (a.op == b.op)
      return true;
    if (a.hash != b.hash || isNone(a.op) || isNone(b.op))
      return false;
    return mlir::OperationEquivalence::isEquivalentTo(a.op, b.op,
                                                      mlir::OperationEquivalence::IgnoreLocations);
  }
  static bool isNone(mlir::Operation *op) {
    return op == Pointer::getEmptyKey() || op == Pointer::getTombstoneKey();
  }
  static Hashed getEmptyKey() { return {Pointer::getEmptyKey(), 0}; }
  static Hashed getTombstoneKey() { return {Pointer::getTombstoneKey(), 0}; }
};

/// Whether no other collective can be equal to `op`: it reads what nobody else does, and never
/// will, as only what collectives give gets more readers.
bool isAlone(mlir::Operation *op) {
  return llvm::any_of(op->getOperands(), [](mlir::Value operand) {
    mlir::Operation *maker = operand.getDefiningOp();
    return operand.hasOneUse() && !(maker && maker->hasTrait<stablehlo::Collective>());
  });
}

} // namespace

void shareEqualCollectives(ModuleCollectives &found, Gathers gathers) {
  for (const ModuleCollectives::InBlock &block : found.blocks()) {
    if (gathers == Gathers::share)
      shareOperands(block, found);
    llvm::DenseSet<Hashed, SameCollective> known;
    for (int32_t place : block.members) {
      mlir::Operation *op = found.all()[place];
      if (!op->hasTrait<stablehlo::Collective>() ||
          (gathers == Gathers::recompute && llvm::isa<stablehlo::AllGatherOp>(op)) || isAlone(op))
        continue;
      auto [earlier, isNew] = known.insert(Hashed(op));
      if (isNew)
        continue;
      op->replaceAllUsesWith(earlier->op);
      found.erase(place);
    }
  }
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
