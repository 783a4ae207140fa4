// What is reduced alike and then collected is collected first, and reduced once.
//
//     add(add(%x, all_reduce(%p)), all_reduce(%q))  =>  add(%x, all_reduce(add(%p, %q)))
//
// What is subtracted is collected with the other sign. So are the branches of a block that stand
// side by side, and the gradient of what several products read, wherever what nobody reduces stands
// among them.

#include "spmd/dialect/stablehlo/Dialect.h"
#include "spmd/passes/optimize/Collecting.h"
#include "spmd/passes/optimize/Optimize.h"

#include "mlir/IR/Builders.h"
#include "llvm/ADT/MapVector.h"

namespace spmd {

namespace {

/// By what `op` collects, differences as sums.
std::optional<ReductionKind> kindOf(mlir::Operation *op) {
  if (!llvm::isa<stablehlo::SubtractOp>(op))
    return collectedKind(op);
  auto type = llvm::dyn_cast<mlir::RankedTensorType>(op->getResult(0).getType());
  return type ? std::optional(ReductionKind::sum) : std::nullopt;
}

bool isSubtracted(mlir::OpOperand &use) {
  return llvm::isa<stablehlo::SubtractOp>(use.getOwner()) && use.getOperandNumber() == 1;
}

/// Whether the owner of `use` would be what it is given beside, were `use` not.
bool mayGo(mlir::OpOperand &use) {
  return !llvm::isa<stablehlo::SubtractOp>(use.getOwner()) || isSubtracted(use);
}

class Regrouper {
public:
  /// Returns whether any reductions became one.
  bool run(const ModuleCollectives &found) {
    for (mlir::Operation *op : found.all())
      if (op && op->hasOneUse())
        if (mlir::OpOperand &use = *op->use_begin();
            mayGo(use) && reductionFor(use, kindOf(use.getOwner())) == op)
          reductionsOf[placeOf(use.getOwner()).root].push_back(op);
    bool joinedAny = false;
    for (auto &[root, reductions] : reductionsOf)
      if (reductions.size() > 1)
        joinedAny |= joinAlike(reductions);
    return joinedAny;
  }

private:
  using Reductions = llvm::SmallVector<mlir::Operation *, 2>; ///< In program order.

  /// Where an op stands among those that collect by the same kind, each for the next one alone.
  struct Place {
    mlir::Operation *root = nullptr; ///< The last of them.
    bool isNegative = false;         ///< What the op gives is subtracted in the end.
  };

  Place placeOf(mlir::Operation *op) {
    std::optional<ReductionKind> kind = kindOf(op);
    llvm::SmallVector<mlir::Operation *> passed;
    Place place;
    for (;;) {
      if (auto known = places.find(op); known != places.end()) {
        place = known->second;
        break;
      }
      passed.push_back(op);
      mlir::Operation *user = op->hasOneUse() ? *op->user_begin() : nullptr;
      if (!user || user->getBlock() != op->getBlock() || kindOf(user) != kind) {
        place.root = op;
        break;
      }
      op = user;
    }
    for (mlir::Operation *each : llvm::reverse(passed)) {
      place.isNegative ^= each != place.root && isSubtracted(*each->use_begin());
      places[each] = place;
    }
    return place;
  }

  /// Joins those of the reductions of one root that can be one. Returns whether there were any.
  bool joinAlike(const Reductions &reductions) {
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

  /// Whether what `reduction` gives is subtracted in the end.
  bool isNegative(mlir::Operation *reduction) {
    mlir::OpOperand &use = *reduction->use_begin();
    return placeOf(use.getOwner()).isNegative != isSubtracted(use);
  }

  /// Makes one reduction of all, where the last one stands.
  void join(const Reductions &members) {
    mlir::Operation *last = members.back();
    mlir::OpBuilder builder(last);
    llvm::SmallVector<bool> areNegative;
    for (mlir::Operation *member : members)
      areNegative.push_back(isNegative(member));
    size_t first = llvm::find(areNegative, areNegative.back()) - areNegative.begin();
    mlir::Value collected = members[first]->getOperand(0);
    llvm::SmallVector<mlir::Location> locations;
    for (auto [i, member] : llvm::enumerate(members)) {
      locations.push_back(member->getLoc());
      if (i == first)
        continue;
      mlir::Operation *like = *member->user_begin();
      mlir::Value share = member->getOperand(0);
      if (areNegative[i] != areNegative.back()) {
        collected = stablehlo::SubtractOp::create(builder, like->getLoc(), collected, share);
      } else if (llvm::isa<stablehlo::SubtractOp>(like)) {
        collected = stablehlo::AddOp::create(builder, like->getLoc(), collected, share);
      } else {
        mlir::Operation *collecting = builder.clone(*like);
        collecting->setOperands({collected, share});
        collecting->getResult(0).setType(collected.getType());
        collected = collecting->getResult(0);
      }
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
  llvm::DenseMap<mlir::Operation *, Place> places;
};

} // namespace

void collectBeforeReducing(ModuleCollectives &found) {
  if (Regrouper().run(found))
    found.findAgain();
}

} // namespace spmd
