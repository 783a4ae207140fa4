// What is reduced alike and then collected is collected first, and reduced once.
//
//     add(add(%x, all_reduce(%p)), all_reduce(%q))  =>  add(%x, all_reduce(add(%p, %q)))
//
// So are the branches of a block that stand side by side, and the gradient of what several products
// read, wherever what nobody reduces stands among them.

#include "spmd/passes/optimize/Collecting.h"
#include "spmd/passes/optimize/Optimize.h"

#include "mlir/IR/Builders.h"
#include "llvm/ADT/MapVector.h"

namespace spmd {

namespace {

class Regrouper {
public:
  /// Returns whether any reductions became one.
  bool run(const ModuleCollectives &found) {
    for (mlir::Operation *op : found.all())
      if (op && op->hasOneUse())
        if (mlir::OpOperand &use = *op->use_begin(); reductionFor(use) == op)
          reductionsOf[rootOf(use.getOwner())].push_back(op);
    bool joinedAny = false;
    for (auto &[root, reductions] : reductionsOf)
      if (reductions.size() > 1)
        joinedAny |= joinAlike(reductions);
    return joinedAny;
  }

private:
  using Reductions = llvm::SmallVector<mlir::Operation *, 2>; ///< In program order.

  /// Returns the last of the ops that collect by the same kind, each for the next one alone, from
  /// `op` on.
  mlir::Operation *rootOf(mlir::Operation *op) {
    std::optional<ReductionKind> kind = collectedKind(op);
    llvm::SmallVector<mlir::Operation *> passed;
    for (;;) {
      if (auto known = roots.find(op); known != roots.end()) {
        op = known->second;
        break;
      }
      passed.push_back(op);
      mlir::Operation *user = op->hasOneUse() ? *op->user_begin() : nullptr;
      if (!user || user->getBlock() != op->getBlock() || collectedKind(user) != kind)
        break;
      op = user;
    }
    for (mlir::Operation *each : passed)
      roots[each] = op;
    return op;
  }

  /// Joins those of the reductions of one root that can be one. Returns whether there were any.
  static bool joinAlike(const Reductions &reductions) {
    using Key = std::tuple<mlir::OperationName, mlir::Type, mlir::Attribute>;
    llvm::MapVector<Key, Reductions> alike;
    for (mlir::Operation *each : reductions)
      alike[{each->getName(), each->getOperand(0).getType(), attributesOf(each)}].push_back(each);
    bool joinedAny = false;
    for (const auto &[key, members] : alike)
      if (members.size() > 1) {
        join(members);
        joinedAny = true;
      }
    return joinedAny;
  }

  /// Makes one reduction of all, where the last one stands.
  static void join(const Reductions &members) {
    mlir::Operation *last = members.back();
    mlir::OpBuilder builder(last);
    mlir::Value collected = members.front()->getOperand(0);
    llvm::SmallVector<mlir::Location> locations = {members.front()->getLoc()};
    for (mlir::Operation *member : llvm::drop_begin(members)) {
      mlir::Operation *collecting = builder.clone(**member->user_begin());
      collecting->setOperands({collected, member->getOperand(0)});
      collecting->getResult(0).setType(collected.getType());
      collected = collecting->getResult(0);
      locations.push_back(member->getLoc());
    }
    last->setOperand(0, collected);
    last->setLoc(builder.getFusedLoc(locations));
    for (mlir::Operation *member : llvm::drop_end(members)) {
      mlir::OpOperand &use = *member->use_begin();
      mlir::Operation *collecting = use.getOwner();
      collecting->getResult(0).replaceAllUsesWith(
          collecting->getOperand(1 - use.getOperandNumber()));
      collecting->erase();
      member->erase();
    }
  }

  llvm::MapVector<mlir::Operation *, Reductions> reductionsOf; ///< By root.
  llvm::DenseMap<mlir::Operation *, mlir::Operation *> roots;
};

} // namespace

void collectBeforeReducing(ModuleCollectives &found) {
  if (Regrouper().run(found))
    found.findAgain();
}

} // namespace spmd
