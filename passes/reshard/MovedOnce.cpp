#include "spmd/passes/reshard/MovedOnce.h"

#include "spmd/dialect/partitioning/Unchanging.h"
#include "spmd/dialect/spmd/Sizes.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace spmd {

namespace {

/// What is made of unchanging values by more ops is not moved before the loop
/// (`passes/optimize/HoistMoves.cpp`).
constexpr int mostOps = 4;

class Marker {
public:
  Marker(uint64_t bytes, OnlyCallees &callees, OpKinds &kinds, Values &values)
      : bytesLeft(bytes), callees(callees), kinds(kinds), values(values) {}

  void run(DataFlow loop) {
    if (loop.getTripCount().value_or(enoughTurns) < enoughTurns)
      return;
    for (const Flow &flow : loop.getFlows())
      if (isHandedOn(loop, flow))
        markInside(flow, 0);
    for (size_t at = 0; at < marked.size(); ++at)
      for (mlir::OpOperand &use : marked[at].first.getUses())
        follow(use, marked[at].second);
    marked.clear();
  }

private:
  void markInside(const Flow &flow, int numOps) {
    for (mlir::Value target : flow.targets)
      if (llvm::isa<mlir::BlockArgument>(target))
        mark(target, numOps);
  }

  /// Whether a part is read, at a place that other values say.
  bool isReadByIndex(mlir::OpOperand &use) {
    const Strategies *strategies = kinds.of(use.getOwner()).strategies;
    return strategies && readsByIndex(strategies->front().rule, use.getOperandNumber());
  }

  /// Marks `value`, which `numOps` ops make of what is handed on.
  void mark(mlir::Value value, int numOps) {
    mlir::RankedTensorType type = tensorTypeOf(value);
    if (!type || !type.hasStaticShape() || values.isUnchanging(value) ||
        bytesOf(value) > bytesLeft ||
        llvm::any_of(value.getUses(), [&](mlir::OpOperand &use) { return isReadByIndex(use); }))
      return;
    bytesLeft -= bytesOf(value);
    values.markUnchanging(value);
    marked.emplace_back(value, numOps);
  }

  /// Marks what a value becomes that is so many ops behind what is handed on.
  void follow(mlir::OpOperand &use, int numOps) {
    mlir::Operation *op = use.getOwner();
    if (auto call = llvm::dyn_cast<mlir::func::CallOp>(op)) {
      mlir::func::FuncOp callee = callees.of(call);
      if (callee && isRun(callee))
        mark(callee.getArgument(use.getOperandNumber()), numOps);
    } else if (auto inner = llvm::dyn_cast<DataFlow>(op)) {
      for (const Flow &flow : inner.getFlows())
        if (llvm::is_contained(flow.sources, &use) && isHandedOn(inner, flow))
          markInside(flow, numOps);
    } else if (numOps < mostOps && op->getNumResults() == 1 && op->getNumRegions() == 0 &&
               op->getNumOperands() <= 2 && mlir::isPure(op) &&
               llvm::all_of(
                   op->getOperands(),
                   [&](mlir::Value operand) {
                     return values.isUnchanging(operand) || values.isFree(operand);
                   })) {
      mark(op->getResult(0), numOps + 1);
    }
  }

  uint64_t bytesLeft;
  std::vector<std::pair<mlir::Value, int>> marked; ///< By the loop at hand, their uses to come.
  OnlyCallees &callees;
  OpKinds &kinds;
  Values &values;
};

} // namespace

void markUnchanging(llvm::ArrayRef<DataFlow> loops, uint64_t hoistBytes, OnlyCallees &callees,
                    OpKinds &kinds, Values &values) {
  Marker marker(hoistBytes, callees, kinds, values);
  for (DataFlow loop : loops)
    marker.run(loop);
}

} // namespace spmd
