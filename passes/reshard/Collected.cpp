#include "spmd/passes/reshard/Collected.h"

#include "spmd/dialect/spmd/Sizes.h"

namespace spmd {

namespace {

/// With fewer, to reduce once is not that much less (`collectedShare`).
constexpr int64_t enoughTurns = 8;

/// The kind of shares that pass `op` if all operands are shares: what collects by it.
std::optional<ReductionKind> collects(const OpKind &kind) {
  if (!kind.strategies)
    return std::nullopt;
  llvm::ArrayRef<Commuting> commuting = kind.strategies->front().commuting;
  for (ReductionKind each : allReductionKinds)
    if (commuting.size() == 2 && llvm::all_of(commuting, [&](const Commuting &operand) {
          return operand[each].passing == Passing::jointly && operand[each].becomes == each;
        }))
      return each;
  return std::nullopt;
}

/// Returns the one operand of `op` by which shares pass it, while the others are as they are; null
/// if there is none, or a choice.
mlir::Value passingAlone(mlir::Operation *op, const OpKind &kind, ReductionKind share) {
  mlir::Value passing;
  if (kind.strategies)
    for (auto [i, commuting] : llvm::enumerate(kind.strategies->front().commuting))
      if (commuting[share].passing != Passing::no) {
        if (passing || commuting[share].passing != Passing::alone)
          return {};
        passing = op->getOperand(i);
      }
  return passing;
}

/// From the loop's argument to what it hands on, most pass a few ops.
constexpr int maxSteps = 64;

/// What a loop adds to an argument, and nothing else reads, to make what it hands on.
struct Addends {
  std::optional<ReductionKind> kind;
  llvm::SmallVector<mlir::Value> values;
};

/// Returns them for `argument` and `handedOn`; none if that is made otherwise. Looks into functions
/// that are called there alone.
Addends addendsTo(mlir::Value argument, mlir::OpOperand &handedOn, OnlyCallees &callees,
                  OpKinds &kinds) {
  Addends found;
  UseFollower follower(callees);
  llvm::SmallVector<mlir::Value> passed;
  for (int step = 0; step < maxSteps; ++step) {
    mlir::OpOperand *use = follower.useOf(argument, passed);
    if (use == &handedOn && !follower.isInside())
      return found;
    mlir::Operation *op = use ? use->getOwner() : nullptr;
    std::optional<ReductionKind> kind =
        op && op->getNumOperands() == 2 ? collects(kinds.of(op)) : std::nullopt;
    if (!kind || (found.kind && found.kind != kind))
      break;
    found.kind = kind;
    found.values.push_back(op->getOperand(1 - use->getOperandNumber()));
    argument = op->getResult(0);
  }
  return {};
}

} // namespace

void markCollected(DataFlow loop, uint64_t bytes, OnlyCallees &callees, OpKinds &kinds,
                   Values &values) {
  if (loop.getTripCount().value_or(enoughTurns) < enoughTurns)
    return;
  for (const Flow &flow : loop.getFlows())
    for (mlir::OpOperand *source : flow.sources)
      for (mlir::Value target : flow.targets) {
        if (source->getOwner() == loop ||
            target.getParentRegion() != source->getOwner()->getParentRegion())
          continue;
        Addends found = addendsTo(target, *source, callees, kinds);
        for (mlir::Value addend : found.values)
          while (addend && addend.hasOneUse()) {
            mlir::RankedTensorType type = tensorTypeOf(addend);
            mlir::Operation *maker = addend.getDefiningOp();
            if (!maker || !type || !type.hasStaticShape() || bytesOf(addend) > bytes)
              break;
            values.markCollected(addend);
            addend = passingAlone(maker, kinds.of(maker), *found.kind);
          }
      }
}

} // namespace spmd
