// What a loop adds up in turns, and reduces in each, is reduced once, behind the loop.
//
//     while(%sum = %init) { .. %a = all_reduce(%p); return add(%sum, %a) }
//  => while(%sum = 0) { .. return add(%sum, %p) }; add(%init, all_reduce(%sum))
//
// What is reduced may be put into another shape before it is added, as pieces of two dims are.
//
// So are gradients of weights that all turns read: of cells, of layers that share them, of parts of
// a batch. Any reduction by which the loop itself collects will do: a maximum of maxima.
//
// What it writes row by row into a tensor, such as the loss of each step, is reduced as a whole
// behind the loop, too, where single rows are so small that what counts is how many there are:
//
//     while(%rows = 0) { .. return update(%rows, all_reduce(%p), %i) }
//  => while(%rows = 0) { .. return update(%rows, %p, %i) }; all_reduce(%rows)

#include "spmd/dialect/partitioning/Families.h"
#include "spmd/dialect/partitioning/algorithms/Shards.h"
#include "spmd/dialect/spmd/Callers.h"
#include "spmd/dialect/spmd/Hoisted.h"
#include "spmd/dialect/spmd/Sizes.h"
#include "spmd/dialect/stablehlo/Dialect.h"
#include "spmd/passes/optimize/Collecting.h"
#include "spmd/passes/optimize/Optimize.h"
#include "spmd/passes/optimize/SameOnDevices.h"

#include "mlir/IR/IRMapping.h"

namespace spmd {

using namespace stablehlo;

namespace {

/// From the loop's argument to what it hands on, most pass a few ops and calls.
constexpr int maxSteps = 64;

mlir::RankedTensorType tensorOf(mlir::Value value) {
  return llvm::dyn_cast<mlir::RankedTensorType>(value.getType());
}

/// A value that a loop collects from turn to turn.
struct Collected {
  mlir::OpOperand *init;
  mlir::Value result;                    ///< Of the loop.
  llvm::SmallVector<mlir::Value> values; ///< From the arguments of the loop to what it hands on.
  llvm::SmallVector<mlir::Operation *> collecting; ///< Each has a reduction as another operand.
  llvm::SmallVector<mlir::Operation *> reductions;
  llvm::SmallVector<mlir::Operation *> shaping; ///< From the first reduction to what is added.
  bool isWritten = false;                       ///< Row by row; else added up.
};

class LoopReducer {
public:
  explicit LoopReducer(mlir::ModuleOp module) : callees(module) {}

  /// Takes reductions out of `loop`, as long as what it hands on grows by no more than `budget`
  /// bytes, which become fewer. Returns whether it took any.
  bool run(DataFlow loop, uint64_t &budget) {
    bool tookAny = false;
    for (const Flow &flow : loop.getFlows()) {
      std::optional<Collected> found = find(loop, flow);
      if (!found)
        continue;
      uint64_t growth = growthOf(*found);
      if (growth > budget || (found->isWritten && !mayReduceRowsBehind(loop, *found)))
        continue;
      budget -= growth;
      move(loop, *found);
      tookAny = true;
    }
    return tookAny;
  }

private:
  /// How many bytes more a device holds: in turn, or of what is reduced behind them.
  static uint64_t growthOf(const Collected &found) {
    uint64_t before = bytesOf(found.result);
    uint64_t after = bytesOf(found.reductions.front()->getOperand(0));
    if (found.isWritten)
      return before;
    return after > before ? after - before : 0;
  }

  /// Whether all rows together take no more bytes than single ones, which are small; each stands at
  /// one place on all devices; and rows that no turn writes are as they were.
  static bool mayReduceRowsBehind(DataFlow loop, const Collected &found) {
    mlir::Operation *reduction = found.reductions.front();
    uint64_t row = bytesOf(reduction->getOperand(0)), all = bytesOf(found.result);
    uint64_t turns = loop.getTripCount().value_or(0), perTurn = row * found.reductions.size();
    return row > 0 && row <= mostOfWrittenRow && (all - 1) / perTurn < turns &&
           isFilledWith(found.init->get(), identityOf(*kindOf(reduction))) &&
           llvm::all_of(
               found.collecting,
               [](mlir::Operation *update) {
                 auto starts = llvm::cast<DynamicUpdateSliceOp>(update).getStartIndices();
                 return llvm::all_of(starts,
                                     [](mlir::Value start) { return isSameOnDevices(start); });
               });
  }

  /// Returns the value of `flow` if nothing reads it in the loop but what collects reduced values
  /// of one kind, over the same groups.
  std::optional<Collected> find(DataFlow loop, const Flow &flow) {
    Collected found{};
    mlir::OpOperand *handedOn = nullptr;
    for (mlir::OpOperand *source : flow.sources)
      (source->getOwner() == loop ? found.init : handedOn) = source;
    if (flow.sources.size() != 2 || !found.init || !handedOn)
      return std::nullopt;
    mlir::Value argument;
    for (mlir::Value target : flow.targets) {
      found.values.push_back(target);
      if (target.getDefiningOp() == loop)
        found.result = target;
      else if (target.getParentRegion() == handedOn->getOwner()->getParentRegion())
        argument = target;
      else if (!target.use_empty())
        return std::nullopt; // It decides when the loop ends.
    }
    bool isCollected = argument && found.result && !found.result.use_empty() &&
                       tensorOf(found.result) && tensorOf(found.result).hasStaticShape() &&
                       follow(argument, *handedOn, found);
    return isCollected && !found.reductions.empty() ? std::optional(std::move(found))
                                                    : std::nullopt;
  }

  /// Follows the value from `value` to `end`, through calls of functions that are called there
  /// alone.
  bool follow(mlir::Value value, mlir::OpOperand &end, Collected &found) {
    UseFollower follower(callees);
    for (int step = 0; step < maxSteps; ++step) {
      mlir::OpOperand *use = follower.useOf(value, found.values);
      if (use == &end)
        return !follower.isInside();
      mlir::Operation *written = use ? reductionWrittenInto(*use) : nullptr;
      llvm::SmallVector<mlir::Operation *> shaping;
      mlir::Operation *reduction = use && !written ? reductionBeside(*use, shaping) : written;
      bool isFirst = found.reductions.empty();
      if (!reduction || !(isFirst || (isAlike(reduction, found.reductions.front()) &&
                                      areAlike(shaping, found.shaping) &&
                                      found.isWritten == (written != nullptr))))
        return false;
      if (isFirst)
        found.shaping = std::move(shaping);
      found.isWritten = written;
      found.collecting.push_back(use->getOwner());
      found.reductions.push_back(reduction);
      value = use->getOwner()->getResult(0);
      found.values.push_back(value);
    }
    return false;
  }

  /// Returns the reduction that is the other operand of an op that collects as it reduces, and the
  /// ops that put what it gives into another shape for that, in their order.
  static mlir::Operation *reductionBeside(mlir::OpOperand &use,
                                          llvm::SmallVectorImpl<mlir::Operation *> &shaping) {
    mlir::Operation *op = use.getOwner();
    std::optional<ReductionKind> kind = collectedKind(op);
    if (!kind)
      return nullptr;
    mlir::OpOperand *other = &op->getOpOperand(1 - use.getOperandNumber());
    for (mlir::Operation *maker = other->get().getDefiningOp();
         llvm::isa_and_nonnull<ReshapeOp, TransposeOp>(maker) && maker->hasOneUse() &&
         maker->getBlock() == op->getBlock();
         maker = other->get().getDefiningOp()) {
      shaping.push_back(maker);
      other = &maker->getOpOperand(0);
    }
    std::reverse(shaping.begin(), shaping.end());
    return reductionFor(*other, kind);
  }

  static bool areAlike(llvm::ArrayRef<mlir::Operation *> some,
                       llvm::ArrayRef<mlir::Operation *> others) {
    return llvm::equal(some, others, [](mlir::Operation *a, mlir::Operation *b) {
      return a->getName() == b->getName() && a->getResultTypes() == b->getResultTypes() &&
             a->getPropertiesAsAttribute() == b->getPropertiesAsAttribute();
    });
  }

  static bool isAlike(mlir::Operation *a, mlir::Operation *b) {
    return a->getName() == b->getName() &&
           a->getOperand(0).getType() == b->getOperand(0).getType() &&
           attributesOf(a) == attributesOf(b);
  }

  void move(DataFlow loop, Collected &found) {
    mlir::Operation *reduction = found.reductions.front();
    mlir::RankedTensorType type =
        tensorOf(found.isWritten ? found.result : reduction->getOperand(0));
    mlir::Location loc = reduction->getLoc();
    ReductionKind kind = *kindOf(reduction);
    for (mlir::Value value : found.values)
      value.setType(type);
    for (mlir::Value value : found.values)
      if (auto argument = llvm::dyn_cast<mlir::BlockArgument>(value))
        if (auto callee = llvm::dyn_cast<mlir::func::FuncOp>(argument.getOwner()->getParentOp()))
          callee.setFunctionType(
              mlir::FunctionType::get(loop.getContext(), callee.front().getArgumentTypes(),
                                      callee.front().getTerminator()->getOperandTypes()));

    mlir::OpBuilder builder(loop);
    mlir::Value init = found.init->get();
    if (!found.isWritten)
      found.init->set(fillConstant(builder, loc, type, identityOf(kind)));

    builder.setInsertionPointAfter(loop);
    mlir::IRMapping mapping;
    mapping.map(reduction->getOperand(0), found.result);
    mlir::Operation *reduced = builder.clone(*reduction, mapping);
    mlir::Value whole = reduced->getResult(0);
    for (mlir::Operation *op : found.shaping) {
      mapping.map(op->getOperand(0), whole);
      whole = builder.clone(*op, mapping)->getResult(0);
    }
    if (found.isWritten)
      whole.setType(type);
    else if (!isFilledWith(init, identityOf(kind))) {
      mlir::Operation *joined = builder.clone(*found.collecting.front());
      joined->setOperands({init, whole});
      whole = joined->getResult(0);
      whole.setType(init.getType());
    }
    found.result.replaceAllUsesExcept(whole, reduced);
    for (mlir::Operation *each : found.reductions) {
      mlir::Value shaped = each->getResult(0);
      llvm::SmallVector<mlir::Operation *> gone{each};
      for (size_t i = 0; i < found.shaping.size(); ++i) {
        gone.push_back(*shaped.user_begin());
        shaped = gone.back()->getResult(0);
      }
      shaped.replaceAllUsesWith(each->getOperand(0));
      for (mlir::Operation *op : llvm::reverse(gone))
        op->erase();
    }
  }

  OnlyCallees callees;
};

} // namespace

void reduceAfterLoops(ModuleCollectives &found, uint64_t bytes) {
  LoopReducer reducer(found.getModule());
  std::vector<std::pair<DataFlow, uint64_t>> loops;
  for (DataFlow loop : found.flows())
    if (loop.isLoop() && loop.getTripCount() != 1 && loop.getTripCount() != 0)
      loops.emplace_back(loop, bytes - std::min(bytes, spentBefore(loop)));
  // What leaves inner loops may leave the outer ones, which come first where they call functions.
  bool tookAny = false;
  for (bool tookMore = true; tookMore; tookAny |= tookMore) {
    tookMore = false;
    for (auto &[loop, budget] : loops)
      tookMore |= reducer.run(loop, budget);
  }
  if (tookAny)
    found.findAgain();
}

} // namespace spmd
