#include "spmd/passes/reshard/Collected.h"

#include "spmd/dialect/spmd/Hoisted.h"
#include "spmd/dialect/spmd/Sizes.h"
#include "spmd/passes/reshard/MovedOnce.h"

namespace spmd {

namespace {

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

/// Whether `op` takes each element from one of its first two operands, as where others say: shares
/// of all kinds pass it.
bool isWrite(mlir::Operation *op, const OpKind &kind) {
  if (!kind.strategies || op->getNumOperands() < 2)
    return false;
  llvm::ArrayRef<Commuting> commuting = kind.strategies->front().commuting;
  return commuting.size() == op->getNumOperands() &&
         llvm::all_of(allReductionKinds, [&](ReductionKind each) {
           return llvm::all_of(commuting.take_front(2),
                               [&](const Commuting &operand) {
                                 return operand[each].passing == Passing::jointly &&
                                        operand[each].becomes == each;
                               }) &&
                  llvm::all_of(commuting.drop_front(2), [&](const Commuting &operand) {
                    return operand[each].passing == Passing::no;
                  });
         });
}

/// Returns the operands of `op` by which shares of this kind pass it, while all others are as they
/// are. What only says how a value lies is no obstacle.
llvm::SmallVector<mlir::Value, 2> passingAlone(mlir::Operation *op, const OpKind &kind,
                                               ReductionKind share) {
  llvm::SmallVector<mlir::Value, 2> passing;
  if (placesValue(op))
    passing.push_back(op->getOperand(0));
  else if (kind.strategies)
    for (auto [i, commuting] : llvm::enumerate(kind.strategies->front().commuting))
      if (commuting[share].passing == Passing::alone)
        passing.push_back(op->getOperand(i));
  return passing;
}

/// From the loop's argument to what it hands on, most pass a few ops.
constexpr int maxSteps = 64;

/// What a loop adds to an argument, or writes into it, and nothing else reads, to make what it
/// hands on.
struct Addends {
  std::optional<ReductionKind> kind; ///< Nothing if they are written.
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
    if (op && placesValue(op)) {
      argument = op->getResult(0); // Says how it lies, and reads nothing.
      continue;
    }
    std::optional<ReductionKind> kind =
        op && op->getNumOperands() == 2 ? collects(kinds.of(op)) : std::nullopt;
    bool isWritten = !kind && op && use->getOperandNumber() == 0 && isWrite(op, kinds.of(op));
    if ((!kind && !isWritten) || (!found.values.empty() && found.kind != kind))
      break;
    found.kind = kind;
    found.values.push_back(op->getOperand(1 - use->getOperandNumber()));
    argument = op->getResult(0);
  }
  return {};
}

class Marker {
public:
  Marker(uint64_t bytes, OpKinds &kinds, Values &values)
      : bytes(bytes), kinds(kinds), values(values) {}

  void run(const Addends &addends, std::optional<int64_t> turns) {
    for (mlir::Value addend : addends.values)
      if (!addends.kind && turns)
        markWritten(addend);
      else if (addends.kind && turns.value_or(enoughTurns) > 1)
        markAdded(addend, *addends.kind, turns.value_or(enoughTurns) >= enoughTurns);
  }

private:
  /// Returns the op that makes `value`, for one op alone and of so many bytes at most; else null.
  static mlir::Operation *makerOf(mlir::Value value, uint64_t most) {
    mlir::RankedTensorType type = tensorTypeOf(value);
    bool fits = value.hasOneUse() && type && type.hasStaticShape() && bytesOf(value) <= most;
    return fits ? value.getDefiningOp() : nullptr;
  }

  /// Marks a value, and what it is made of alone, or as a sum of such, so that shares pass.
  void markAdded(mlir::Value value, ReductionKind share, bool isOften) {
    llvm::SmallVector<mlir::Value> left = {value};
    for (int step = 0; step < maxSteps && !left.empty(); ++step) {
      value = left.pop_back_val();
      mlir::Operation *maker = makerOf(value, bytes);
      if (!maker)
        continue;
      if (isOften)
        values.markCollected(value);
      else
        values.markDeferred(value);
      const OpKind &kind = kinds.of(maker);
      llvm::SmallVector<mlir::Value, 2> passing = passingAlone(maker, kind, share);
      // What is free is no share: a factor that is written out.
      llvm::erase_if(passing, [&](mlir::Value operand) { return values.isFree(operand); });
      if (passing.size() == 1) // A choice is none.
        left.push_back(passing.front());
      else if (collects(kind) == share)
        left.append(maker->operand_begin(), maker->operand_end());
    }
  }

  /// Marks a value, and all that it is made of in such a way that shares of some kind pass.
  void markWritten(mlir::Value value) {
    llvm::SmallVector<mlir::Value> left = {value};
    for (int step = 0; step < maxSteps && !left.empty(); ++step) {
      value = left.pop_back_val();
      mlir::Operation *maker = makerOf(value, std::min(bytes, mostOfWrittenRow));
      if (!maker)
        continue;
      values.markDeferred(value);
      for (ReductionKind share : {ReductionKind::sum, ReductionKind::max, ReductionKind::min})
        for (mlir::Value operand : passingAlone(maker, kinds.of(maker), share))
          if (!values.isDeferred(operand))
            left.push_back(operand);
    }
  }

  uint64_t bytes;
  OpKinds &kinds;
  Values &values;
};

} // namespace

void markCollected(DataFlow loop, uint64_t bytes, OnlyCallees &callees, OpKinds &kinds,
                   Values &values) {
  Marker marker(bytes, kinds, values);
  for (const Flow &flow : loop.getFlows())
    for (mlir::OpOperand *source : flow.sources)
      for (mlir::Value target : flow.targets)
        if (source->getOwner() != loop &&
            target.getParentRegion() == source->getOwner()->getParentRegion())
          marker.run(addendsTo(target, *source, callees, kinds), loop.getTripCount());
}

} // namespace spmd
