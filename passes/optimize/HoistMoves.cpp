// What is moved in each turn of a loop though it never changes is moved once, before the loop.
//
//     while(%w = %a) { .. %g = all_gather(%w) .. return %w }
//  => %g = all_gather(%a); while(%w = %a) { .. return %w }     the bytes of all turns but one less
//
// The price is memory: what is moved lives as long as the loop. So it is done up to a limit.

#include "spmd/dialect/partitioning/Partitionable.h"
#include "spmd/dialect/spmd/Hoisted.h"
#include "spmd/dialect/spmd/Sizes.h"
#include "spmd/dialect/stablehlo/Dialect.h"
#include "spmd/passes/optimize/Optimize.h"

#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace spmd {

namespace {

class Hoister {
public:
  Hoister(DataFlow loop, uint64_t &budget) : loop(loop), budget(budget) {}

  /// Returns whether it took anything out.
  bool run() {
    findUnchanging();
    for (mlir::Region &region : loop->getRegions())
      for (mlir::Block &block : region)
        for (mlir::Operation &op : llvm::make_early_inc_range(block))
          if (op.hasTrait<stablehlo::Collective>() && isUnchanging(&op) && pay(&op)) {
            hoist(&op);
            tookAny = true;
          }
    return tookAny;
  }

private:
  /// What comes in and is handed from turn to turn as it is, is what came in.
  void findUnchanging() {
    for (const Flow &flow : loop.getFlows()) {
      mlir::Value outside;
      bool changes = false;
      for (mlir::OpOperand *source : flow.sources)
        if (source->getOwner() == loop)
          outside = source->get();
        else
          changes |= !llvm::is_contained(flow.targets, source->get());
      if (changes || !outside)
        continue;
      for (mlir::Value target : flow.targets)
        if (llvm::isa<mlir::BlockArgument>(target))
          outsides.map(target, outside);
    }
  }

  bool isInside(mlir::Value value) const {
    return loop->isAncestor(value.getParentBlock()->getParentOp());
  }

  /// Whether `value` is the same in each turn: handed through, from outside, or made of such by a
  /// few ops that do nothing else.
  bool isUnchanging(mlir::Value value, int depth) {
    if (outsides.contains(value) || !isInside(value))
      return true;
    mlir::Operation *op = value.getDefiningOp();
    constexpr int mostOps = 4;
    return op && op->getParentOp() == loop && depth < mostOps && op->getNumRegions() == 0 &&
           op->getNumOperands() <= 2 && mlir::isPure(op) &&
           llvm::all_of(
               op->getOperands(),
               [&](mlir::Value operand) { return isUnchanging(operand, depth + 1); });
  }

  bool isUnchanging(mlir::Operation *op) {
    return mlir::isMemoryEffectFree(op) &&
           llvm::all_of(op->getOperands(),
                        [&](mlir::Value operand) { return isUnchanging(operand, 0); });
  }

  /// Takes what the results hold out of the budget, if it is there.
  bool pay(mlir::Operation *op) {
    bool isCounted = llvm::all_of(op->getResultTypes(), [](mlir::Type type) {
      auto tensor = llvm::dyn_cast<mlir::RankedTensorType>(type);
      return tensor && tensor.hasStaticShape();
    });
    uint64_t bytes = bytesOf(op->getResults());
    if (!isCounted || bytes > budget)
      return false;
    budget -= bytes;
    return true;
  }

  mlir::Value bringOut(mlir::Value value) {
    if (!isInside(value))
      return value;
    if (!outsides.contains(value)) {
      mlir::Operation *op = value.getDefiningOp();
      for (mlir::Value operand : op->getOperands())
        bringOut(operand);
      mlir::OpBuilder(loop).clone(*op, outsides);
    }
    return outsides.lookup(value);
  }

  void hoist(mlir::Operation *op) {
    for (mlir::OpOperand &operand : op->getOpOperands())
      operand.set(bringOut(operand.get()));
    op->moveBefore(loop);
  }

  DataFlow loop;
  uint64_t &budget;
  mlir::IRMapping outsides; ///< What values inside are outside.
  bool tookAny = false;
};

} // namespace

void hoistMoves(ModuleCollectives &found, uint64_t bytes) {
  bool tookAny = false;
  for (DataFlow loop : found.flows()) { // What leaves inner loops may leave the outer ones.
    if (!loop.isLoop() || loop.getTripCount() == 1 || loop.getTripCount() == 0)
      continue;
    uint64_t budget = bytes - std::min(bytes, spentBefore(loop));
    tookAny |= Hoister(loop, budget).run();
  }
  for (DataFlow loop : found.flows())
    loop->removeAttr(hoistedName);
  if (tookAny)
    found.findAgain();
}

} // namespace spmd
