// What is gathered behind a barrier waits for it, also where a compiler behind us drops barriers.
//
//     %w, %d = barrier(%weights, %gradient); %g = all_gather(%w)
//  => %w, %d = barrier(%weights, %gradient); %g, %unread = all_gather(%w, %d[0])
//
// What a program makes again instead of holding it stands behind such a barrier. Compilers drop
// barriers before they schedule, and one that goes breadth first then makes all of it at once with
// what was made first, and holds both.

#include "spmd/passes/optimize/Optimize.h"

#include "spmd/dialect/stablehlo/Dialect.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace spmd {

namespace {

using stablehlo::AllGatherOp;
using stablehlo::OptimizationBarrierOp;

class Waiter {
public:
  void run(ModuleCollectives &found) {
    for (mlir::Operation *op : llvm::to_vector(found.all()))
      if (auto gather = llvm::dyn_cast_if_present<AllGatherOp>(op))
        if (mlir::Value last = lastBehindBarrierOf(gather)) {
          mlir::Operation *other = waitFor(gather, last);
          places[other] = places.lookup(gather);
          places.erase(gather);
          found.replace(gather, other);
        }
  }

private:
  /// Returns what the barrier gives out that `value` is made of by a few ops that read nothing
  /// else; null if none does.
  static mlir::OpResult behindBarrier(mlir::Value value) {
    constexpr int mostOps = 8;
    for (int numOps = 0; numOps < mostOps; ++numOps) {
      mlir::Operation *op = value.getDefiningOp();
      if (!op || llvm::isa<OptimizationBarrierOp>(op))
        return op ? llvm::cast<mlir::OpResult>(value) : mlir::OpResult();
      if (op->getNumOperands() != 1 || op->getNumRegions() > 0 || !mlir::isMemoryEffectFree(op))
        return {};
      value = op->getOperand(0);
    }
    return {};
  }

  /// Where the op stands that makes `value`: at 0 if it comes from outside of `block`.
  int32_t placeOf(mlir::Value value, mlir::Block *block) {
    mlir::Operation *op = value.getDefiningOp();
    if (!op || op->getBlock() != block)
      return 0;
    if (numbered.insert(block).second)
      for (auto [place, inside] : llvm::enumerate(*block))
        places[&inside] = static_cast<int32_t>(place);
    return places.lookup(op);
  }

  static bool hasElement(mlir::Value value) {
    auto type = llvm::dyn_cast<mlir::RankedTensorType>(value.getType());
    return type && type.hasStaticShape() && type.getNumElements() > 0 &&
           type.getElementType().isIntOrFloat();
  }

  /// Where that stands of which a barrier's `result` is a copy.
  int32_t placeOfSource(mlir::OpResult result) {
    mlir::Operation *barrier = result.getOwner();
    return placeOf(barrier->getOperand(result.getResultNumber()), barrier->getBlock());
  }

  /// Returns what `barrier` gives out of what was made last, the first of several; null if it has
  /// no elements.
  mlir::OpResult lastOf(mlir::Operation *barrier) {
    auto [found, isNew] = lasts.try_emplace(barrier);
    if (isNew)
      for (mlir::OpResult result : barrier->getResults())
        if (hasElement(result) &&
            (!found->second || placeOfSource(result) > placeOfSource(found->second)))
          found->second = result;
    return found->second;
  }

  /// Returns what a barrier that operands of `gather` stand behind gives out of what was made last,
  /// long behind these; null if they need not wait for it.
  mlir::Value lastBehindBarrierOf(AllGatherOp gather) {
    if (!hasElement(gather.getOperands().front()))
      return nullptr;
    mlir::Block *block = gather->getBlock();
    for (mlir::Value operand : gather.getOperands()) {
      mlir::OpResult barred = behindBarrier(operand);
      if (!barred || barred.getOwner()->getBlock() != block)
        continue;
      mlir::OpResult last = lastOf(barred.getOwner());
      if (last && placeOfSource(last) - placeOfSource(barred) > nearby)
        return waitsFor(gather, last) ? mlir::Value() : last;
    }
    return nullptr;
  }

  /// Whether an operand of `gather` is plainly made of `last`.
  static bool waitsFor(AllGatherOp gather, mlir::OpResult last) {
    return llvm::any_of(gather.getOperands(),
                        [&](mlir::Value operand) { return behindBarrier(operand) == last; });
  }

  /// Returns `gather` with an element of `last` beside its operands.
  static mlir::Operation *waitFor(AllGatherOp gather, mlir::Value last) {
    mlir::OpBuilder builder(gather);
    mlir::Location loc = gather.getLoc();
    auto type = llvm::cast<mlir::RankedTensorType>(last.getType());
    auto gathered = llvm::cast<mlir::RankedTensorType>(gather->getResultTypes().front());
    auto local = llvm::cast<mlir::RankedTensorType>(gather.getOperands().front().getType());
    size_t dim = gather.getAllGatherDim();
    llvm::SmallVector<int64_t> ones(type.getRank(), 1), zeros(type.getRank(), 0);
    if (type.getRank() > 0)
      last = stablehlo::SliceOp::create(builder, loc, type.clone(ones), last, zeros, ones, ones);
    llvm::SmallVector<int64_t> shape(dim + 1, 1);
    if (last.getType() != type.clone(shape))
      last = stablehlo::ReshapeOp::create(builder, loc, type.clone(shape), last);
    shape[dim] = gathered.getDimSize(dim) / local.getDimSize(dim);
    llvm::SmallVector<mlir::Value> operands(gather.getOperands());
    operands.push_back(last);
    llvm::SmallVector<mlir::Type> types(gather->getResultTypes());
    types.push_back(type.clone(shape));
    mlir::Operation *other =
        AllGatherOp::create(builder, loc, types, operands, gather.getProperties());
    other->setDiscardableAttrs(gather->getDiscardableAttrDictionary());
    gather->replaceAllUsesWith(other->getResults().drop_back());
    return other;
  }

  /// What was made by so many ops before need not be told apart: little would be held for it.
  static constexpr int32_t nearby = 32;

  llvm::DenseSet<mlir::Block *> numbered;
  llvm::DenseMap<mlir::Operation *, int32_t> places;       ///< Of those in `numbered`.
  llvm::DenseMap<mlir::Operation *, mlir::OpResult> lasts; ///< By barrier.
};

} // namespace

void waitBehindBarriers(ModuleCollectives &found) { Waiter().run(found); }

} // namespace spmd
