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

/// Whether shares pass `op`, which has one operand.
bool passesAlone(const OpKind &kind, ReductionKind share) {
  return kind.strategies && kind.strategies->front().commuting.size() == 1 &&
         kind.strategies->front().commuting[0][share].passing == Passing::alone;
}

/// What collects a value in a loop, and what it adds.
struct Collecting {
  mlir::Operation *op = nullptr;
  mlir::Value addend;
};

/// Returns what adds something to the argument of the loop to make what it hands on, where nothing
/// else reads either; an empty one if nothing does. Looks into functions that are called there
/// alone.
Collecting collectingOf(const Flow &flow, mlir::Value handedOn, OnlyCallees &callees) {
  llvm::SmallVector<mlir::func::CallOp> calls;
  while (auto call = handedOn.getDefiningOp<mlir::func::CallOp>()) {
    mlir::func::FuncOp callee = handedOn.hasOneUse() ? callees.of(call) : nullptr;
    if (!callee)
      return {};
    calls.push_back(call);
    unsigned index = llvm::cast<mlir::OpResult>(handedOn).getResultNumber();
    handedOn = callee.front().getTerminator()->getOperand(index);
  }
  mlir::Operation *op = handedOn.getDefiningOp();
  if (!op || !handedOn.hasOneUse() || op->getNumOperands() != 2)
    return {};
  for (unsigned i : {0u, 1u}) {
    mlir::Value before = op->getOperand(i);
    for (mlir::func::CallOp call : llvm::reverse(calls))
      if (auto argument = llvm::dyn_cast<mlir::BlockArgument>(before);
          argument && argument.hasOneUse() && argument.getOwner() == &callees.of(call).front())
        before = call.getOperand(argument.getArgNumber());
    if (llvm::is_contained(flow.targets, before) && before.hasOneUse())
      return {op, op->getOperand(1 - i)};
  }
  return {};
}

} // namespace

void markCollected(DataFlow loop, uint64_t bytes, OnlyCallees &callees, OpKinds &kinds,
                   Values &values) {
  if (loop.getTripCount().value_or(enoughTurns) < enoughTurns)
    return;
  for (const Flow &flow : loop.getFlows())
    for (mlir::OpOperand *source : flow.sources) {
      if (source->getOwner() == loop)
        continue;
      auto [op, addend] = collectingOf(flow, source->get(), callees);
      std::optional<ReductionKind> kind = op ? collects(kinds.of(op)) : std::nullopt;
      while (kind && addend && addend.hasOneUse()) {
        mlir::RankedTensorType type = tensorTypeOf(addend);
        mlir::Operation *maker = addend.getDefiningOp();
        if (!maker || !type || !type.hasStaticShape() || bytesOf(addend) > bytes)
          break;
        values.markCollected(addend);
        bool passes = maker->getNumOperands() == 1 && passesAlone(kinds.of(maker), *kind);
        addend = passes ? maker->getOperand(0) : mlir::Value();
      }
    }
}

} // namespace spmd
