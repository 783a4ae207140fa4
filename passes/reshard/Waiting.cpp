#include "spmd/passes/reshard/Waiting.h"

#include "spmd/ir/rules/Parts.h"
#include "spmd/passes/reshard/Moves.h"

namespace spmd {

/// Whether `op` only says how its operand lies, or moves it.
static bool isPlacement(mlir::Operation *op) {
  auto partitionable = llvm::dyn_cast_if_present<Partitionable>(op);
  return partitionable && partitionable.isPlacement() && op->getNumOperands() == 1;
}

mlir::Value Waiting::origin(mlir::Value value) {
  while (isPlacement(value.getDefiningOp()))
    value = value.getDefiningOp()->getOperand(0);
  return value;
}

void Waiting::start(mlir::func::FuncOp func) {
  if (func.getName() != "main" || !ahead.empty() || !late.empty())
    return;
  ahead.insert(func.getArguments().begin(), func.getArguments().end());
  mlir::Block &block = func.getBody().front();
  for (mlir::Operation &op : block)
    markAhead(&op);
  for (mlir::Operation &op : llvm::reverse(block))
    for (mlir::Value result : op.getResults())
      if (llvm::all_of(result.getUses(), [&](mlir::OpOperand &use) { return isLateUse(use); }))
        late.insert(result);
}

/// Returns the parts of an op that is no product; none of any other, and where there is no rule.
const std::vector<Waiting::Part> &Waiting::lightParts(mlir::Operation *op) {
  const Strategies *known =
      op->getNumRegions() > 0 && !llvm::isa<Partitionable>(op) ? nullptr : strategies.lookup(op);
  auto [entry, isNew] = partsOfRules.try_emplace(known);
  if (isNew && known && !isProduct(known->front().rule))
    for (RulePart &part : partsOf(known->front().rule))
      entry->second.push_back({std::move(part.operands), std::move(part.results)});
  return entry->second;
}

void Waiting::markAhead(mlir::Operation *op) {
  for (const Part &part : lightParts(op)) {
    auto isEarly = [&](int32_t i) {
      mlir::Value operand = op->getOperand(i);
      return isAhead(operand) || Moves::isFree(operand);
    };
    if (llvm::all_of(part.operands, isEarly))
      for (int32_t i : part.results)
        ahead.insert(op->getResult(i));
  }
}

bool Waiting::isLateUse(mlir::OpOperand &use) {
  mlir::Operation *op = use.getOwner();
  if (llvm::isa<mlir::func::ReturnOp>(op))
    return true;
  if (isPlacement(op))
    return op->getNumResults() == 0 || late.contains(op->getResult(0));
  auto number = static_cast<int32_t>(use.getOperandNumber());
  for (const Part &part : lightParts(op))
    if (llvm::is_contained(part.operands, number))
      return llvm::all_of(part.results, [&](int32_t i) { return late.contains(op->getResult(i)); });
  return false;
}

} // namespace spmd
