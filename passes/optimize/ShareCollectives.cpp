// Equal collectives become one, and gathers of one value that lies in different orders.

#include "spmd/dialect/stablehlo/Dialect.h"
#include "spmd/passes/optimize/AlikeValues.h"
#include "spmd/passes/optimize/GatheredLayouts.h"
#include "spmd/passes/optimize/Optimize.h"
#include "spmd/passes/optimize/TurnedFactors.h"

#include "mlir/IR/Builders.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/MapVector.h"

namespace spmd {

namespace {

/// Whether no other collective can be equal to `op`, nor will be, as only what collectives give
/// gets more readers: it reads a value that nobody else does, and so does each op that leads to it,
/// from a collective that is `alone` itself if it comes from one. Follows the first such value of
/// each.
bool isAlone(mlir::Operation *op, const llvm::DenseSet<mlir::Operation *> &alone) {
  for (int step = 0; step <= AlikeValues::mostLinks; ++step) {
    auto isReadOnce = [](mlir::Value value) { return value.hasOneUse(); };
    auto read = llvm::find_if(op->getOperands(), isReadOnce);
    if (read == op->getOperands().end())
      return false;
    mlir::Operation *maker = (*read).getDefiningOp();
    if (!maker)
      return true;
    if (maker->hasTrait<stablehlo::Collective>())
      return alone.contains(maker);
    op = maker;
  }
  return true;
}

/// Erases those of `ops`, and of what led to them, whose results nobody reads any more.
void eraseUnread(std::vector<mlir::Operation *> ops, ModuleCollectives &found) {
  llvm::DenseSet<mlir::Operation *> erased;
  while (!ops.empty()) {
    mlir::Operation *op = ops.back();
    ops.pop_back();
    if (!op || erased.contains(op) || !op->use_empty() || !AlikeValues::isLink(op))
      continue;
    for (mlir::Value operand : op->getOperands())
      ops.push_back(operand.getDefiningOp());
    erased.insert(op);
    found.erase(op);
  }
}

/// Returns an op like `collective`, right before it, of those of its operands that are `kept`; who
/// reads what that gives of them reads the new one.
mlir::Operation *withOnly(mlir::Operation *collective, const llvm::BitVector &kept) {
  mlir::OperationState state(collective->getLoc(), collective->getName());
  for (unsigned number : kept.set_bits()) {
    state.operands.push_back(collective->getOperand(number));
    state.types.push_back(collective->getResult(number).getType());
  }
  state.addAttributes(collective->getAttrs());
  mlir::Operation *other = mlir::OpBuilder(collective).create(state);
  for (auto [place, number] : llvm::enumerate(kept.set_bits()))
    collective->getResult(number).replaceAllUsesWith(other->getResult(place));
  return other;
}

} // namespace

void shareEqualCollectives(ModuleCollectives &found, Gathers gathers) {
  for (const ModuleCollectives::InBlock &block : found.blocks()) {
    AlikeValues alike(block.block);
    GatheredLayouts layouts(alike, nullptr);
    std::vector<mlir::Operation *> unread;
    std::vector<int32_t> replaced; // Kept till the end: they are told apart by where they lie.
    llvm::DenseSet<mlir::Operation *> alone;
    for (int32_t place : block.members) {
      mlir::Operation *op = found.all()[place];
      if (!op->hasTrait<stablehlo::Collective>() ||
          (gathers == Gathers::recompute && llvm::isa<stablehlo::AllGatherOp>(op)))
        continue;
      if (isAlone(op, alone)) {
        alone.insert(op);
        continue;
      }
      auto gather = llvm::dyn_cast<stablehlo::AllGatherOp>(op);
      bool isOfOneValue = gather && gather->getNumResults() == 1;
      if (mlir::Value gathered =
              isOfOneValue ? layouts.find(gather->getResult(0)) : mlir::Value()) {
        gather->getResult(0).replaceAllUsesWith(gathered);
      } else {
        // One that was found by its layout is not asked for, as it goes.
        mlir::Operation *earlier = alike.firstAlike(op);
        if (earlier == op) {
          if (isOfOneValue)
            layouts.add(gather->getResult(0));
          continue;
        }
        layouts.replace(op, earlier);
        op->replaceAllUsesWith(earlier);
      }
      for (mlir::Value operand : op->getOperands())
        unread.push_back(operand.getDefiningOp());
      replaced.push_back(place);
    }
    for (int32_t place : replaced)
      found.erase(place);
    eraseUnread(std::move(unread), found);
  }
}

void holdGathers(ModuleCollectives &found) {
  for (const ModuleCollectives::InBlock &block : found.blocks()) {
    AlikeValues alike(block.block);
    Room room(*block.block);
    GatheredLayouts layouts(alike, &room);
    std::vector<mlir::Operation *> unread;
    llvm::MapVector<int32_t, llvm::BitVector> replaced; // Kept till the end, as above.
    for (int32_t place : block.members) {
      auto gather = llvm::dyn_cast_or_null<stablehlo::AllGatherOp>(found.all()[place]);
      if (!gather)
        continue;
      llvm::BitVector isKept(gather->getNumResults(), true);
      for (mlir::OpResult result : gather->getResults()) {
        mlir::Value gathered = layouts.find(result);
        if (!gathered) {
          layouts.add(result);
          continue;
        }
        result.replaceAllUsesWith(gathered);
        if (auto turned = gathered.getDefiningOp<stablehlo::TransposeOp>())
          readUnturned(turned);
        unread.push_back(gather->getOperand(result.getResultNumber()).getDefiningOp());
        isKept.reset(result.getResultNumber());
      }
      if (!isKept.all())
        replaced[place] = isKept;
    }
    for (auto &[place, isKept] : replaced)
      if (isKept.any())
        found.replace(place, withOnly(found.all()[place], isKept));
      else
        found.erase(place);
    eraseUnread(std::move(unread), found);
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
