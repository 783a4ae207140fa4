// What is moved in each turn of a loop though it never changes is moved once, before the loop.
//
//     while(%w = %a) { .. %g = all_gather(%w) .. return %w }
//  => %g = all_gather(%a); while(%w = %a) { .. return %w }     the bytes of all turns but one less
//
// So is what a function moves that the loop alone calls: it is handed what was moved. The price is
// memory: what is moved lives as long as the loop. So it is done up to a limit.

#include "spmd/dialect/partitioning/Partitionable.h"
#include "spmd/dialect/spmd/Callers.h"
#include "spmd/dialect/spmd/Hoisted.h"
#include "spmd/dialect/spmd/Sizes.h"
#include "spmd/dialect/stablehlo/Dialect.h"
#include "spmd/passes/optimize/Optimize.h"

#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace spmd {

namespace {

using mlir::func::CallOp;
using mlir::func::FuncOp;

/// The calls of functions that nothing else names.
class OnlyCalls {
public:
  explicit OnlyCalls(mlir::ModuleOp module) {
    OnlyCallees callees(module);
    for (CallOp call : findCallers(module).calls)
      if (FuncOp callee = callees.of(call))
        calls[callee] = call;
  }

  /// Returns null if there is none, or several.
  CallOp of(mlir::Operation *func) const { return calls.lookup(func); }

  /// Returns what is around `op` that is no such function.
  mlir::Operation *around(mlir::Operation *op) const {
    mlir::Operation *parent = op->getParentOp();
    while (CallOp call = of(parent))
      parent = call->getParentOp();
    return parent;
  }

private:
  llvm::DenseMap<mlir::Operation *, CallOp> calls;
};

class Hoister {
public:
  Hoister(DataFlow loop, const OnlyCalls &calls, uint64_t &budget)
      : loop(loop), calls(calls), budget(budget) {
    findUnchanging();
  }

  /// Takes `op`, of the loop or of a function that it calls, out, if that can be and is paid for.
  bool run(mlir::Operation *op) {
    bool isTaken = isUnchanging(op) && pay(op);
    if (isTaken)
      hoist(op);
    return isTaken;
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

  /// Whether `value` is in the loop, or in a function that it alone calls.
  bool isInside(mlir::Value value) const {
    mlir::Operation *parent = value.getParentBlock()->getParentOp();
    while (!loop->isAncestor(parent)) {
      CallOp call = calls.of(parent);
      if (!call)
        return false;
      parent = call->getParentOp();
    }
    return true;
  }

  /// Returns what is handed to the function that `value` is an argument of; null if it is none.
  mlir::Value handedFor(mlir::Value value) const {
    auto argument = llvm::dyn_cast<mlir::BlockArgument>(value);
    CallOp call = argument ? calls.of(argument.getOwner()->getParentOp()) : nullptr;
    return call ? call.getOperand(argument.getArgNumber()) : nullptr;
  }

  /// Returns what a barrier gives out as `value`; null if none does.
  static mlir::Value behindBarrier(mlir::Value value) {
    auto barrier = value.getDefiningOp<stablehlo::OptimizationBarrierOp>();
    return barrier ? barrier->getOperand(llvm::cast<mlir::OpResult>(value).getResultNumber())
                   : nullptr;
  }

  /// Whether `value` is the same in each turn: handed through, from outside, or made of such by a
  /// few ops that do nothing else.
  bool isUnchanging(mlir::Value value, int depth) {
    if (outsides.contains(value) || !isInside(value))
      return true;
    if (mlir::Value handed = handedFor(value))
      return isUnchanging(handed, depth);
    mlir::Operation *op = value.getDefiningOp();
    constexpr int mostOps = 4;
    if (!op || calls.around(op) != loop || depth >= mostOps)
      return false;
    if (mlir::Value barred = behindBarrier(value))
      return isUnchanging(barred, depth + 1);
    return op->getNumRegions() == 0 && op->getNumOperands() <= 2 && mlir::isPure(op) &&
           llvm::all_of(op->getOperands(),
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
    if (outsides.contains(value))
      return outsides.lookup(value);
    mlir::OpBuilder builder(loop);
    mlir::Operation *op = value.getDefiningOp();
    if (mlir::Value handed = handedFor(value)) {
      outsides.map(value, bringOut(handed));
    } else if (mlir::Value barred = behindBarrier(value)) {
      // What is made again behind the barrier shall not become one with what was made before.
      mlir::Value outside = bringOut(barred);
      auto barrier = stablehlo::OptimizationBarrierOp::create(builder, op->getLoc(),
                                                              outside.getType(), outside);
      outsides.map(value, barrier->getResult(0));
    } else {
      for (mlir::Value operand : op->getOperands())
        bringOut(operand);
      builder.clone(*op, outsides);
    }
    return outsides.lookup(value);
  }

  void hoist(mlir::Operation *op) {
    for (mlir::OpOperand &operand : op->getOpOperands())
      operand.set(bringOut(operand.get()));
    if (auto func = llvm::dyn_cast<FuncOp>(op->getParentOp()))
      for (mlir::Value result : op->getResults())
        if (!result.use_empty())
          handIn(result, func);
    op->moveBefore(loop);
  }

  /// Hands a value, which shall stand outside, to `func`, which alone reads it, and to those that
  /// call it.
  void handIn(mlir::Value value, FuncOp func) {
    unsigned place = func.getNumArguments();
    [[maybe_unused]] bool isDone =
        mlir::succeeded(func.insertArgument(place, value.getType(), {}, value.getLoc()));
    assert(isDone && "the type of a function can be written anew");
    value.replaceAllUsesWith(func.getArgument(place));
    CallOp call = calls.of(func);
    call.getOperandsMutable().append(value);
    if (auto caller = llvm::dyn_cast<FuncOp>(call->getParentOp()))
      handIn(value, caller);
  }

  DataFlow loop;
  const OnlyCalls &calls;
  uint64_t &budget;
  mlir::IRMapping outsides; ///< What values inside are outside.
};

/// A loop, and what may still be held because of it.
struct Loop {
  DataFlow op;
  uint64_t budget;
};

} // namespace

void hoistMoves(ModuleCollectives &found, uint64_t bytes) {
  llvm::MapVector<mlir::Operation *, Loop> loops;
  for (DataFlow loop : found.flows())
    if (loop.isLoop() && loop.getTripCount() != 1 && loop.getTripCount() != 0)
      loops[loop] = {loop, bytes - std::min(bytes, spentBefore(loop))};
  bool tookAny = false;
  if (!loops.empty() && !found.all().empty()) {
    OnlyCalls calls(found.getModule());
    // What leaves inner loops may leave the outer ones.
    for (bool tookMore = true; tookMore; tookAny |= tookMore) {
      tookMore = false;
      llvm::MapVector<mlir::Operation *, llvm::SmallVector<mlir::Operation *>> inLoops;
      for (mlir::Operation *op : found.all())
        if (op && op->hasTrait<stablehlo::Collective>())
          if (mlir::Operation *around = calls.around(op); loops.contains(around))
            inLoops[around].push_back(op);
      for (auto &[around, ops] : inLoops) {
        Loop &loop = loops[around];
        Hoister hoister(loop.op, calls, loop.budget);
        for (mlir::Operation *op : ops)
          tookMore |= hoister.run(op);
      }
    }
  }
  for (DataFlow loop : found.flows())
    loop->removeAttr(hoistedName);
  if (tookAny)
    found.findAgain();
}

} // namespace spmd
