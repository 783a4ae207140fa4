#include "spmd/passes/reshard/Waiting.h"

#include "spmd/ir/rules/Parts.h"
#include "spmd/passes/reshard/Moves.h"

#include "llvm/ADT/SmallBitVector.h"

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
  llvm::SmallVector<std::pair<mlir::Operation *, const std::vector<Part> *>> ops;
  for (mlir::Operation &op : block) {
    ops.emplace_back(&op, &lightParts(&op));
    markAhead(&op, *ops.back().second);
  }
  llvm::DenseSet<mlir::Value> waited; // What some later op needs to go on.
  for (auto [op, parts] : llvm::reverse(ops)) {
    markWaited(op, *parts, waited);
    for (mlir::Value result : op->getResults())
      if (!waited.contains(result))
        late.insert(result);
  }
}

/// Returns the parts of an op that is no product; none of any other, and where there is no rule.
const std::vector<Waiting::Part> &Waiting::lightParts(mlir::Operation *op) {
  const Strategies *known =
      op->getNumRegions() > 0 && !llvm::isa<Partitionable>(op) ? nullptr : strategies.lookup(op);
  std::unique_ptr<std::vector<Part>> &parts = partsOfRules[known];
  if (parts)
    return *parts;
  parts = std::make_unique<std::vector<Part>>();
  if (known && !isProduct(known->front().rule))
    for (RulePart &part : partsOf(known->front().rule))
      parts->push_back({std::move(part.operands), std::move(part.results)});
  return *parts;
}

void Waiting::markAhead(mlir::Operation *op, const std::vector<Part> &parts) {
  for (const Part &part : parts) {
    auto isEarly = [&](int32_t i) {
      mlir::Value operand = op->getOperand(i);
      return isAhead(operand) || Moves::isFree(operand);
    };
    if (llvm::all_of(part.operands, isEarly))
      for (int32_t i : part.results)
        ahead.insert(op->getResult(i));
  }
}

/// Marks the operands of an op that are not only on their way to results.
void Waiting::markWaited(mlir::Operation *op, const std::vector<Part> &parts,
                         llvm::DenseSet<mlir::Value> &waited) {
  if (llvm::isa<mlir::func::ReturnOp>(op))
    return;
  if (isPlacement(op)) {
    if (op->getNumResults() > 0 && waited.contains(op->getResult(0)))
      waited.insert(op->getOperand(0));
    return;
  }
  llvm::SmallBitVector isOnItsWay(op->getNumOperands());
  for (const Part &part : parts)
    if (llvm::none_of(part.results, [&](int32_t i) { return waited.contains(op->getResult(i)); }))
      for (int32_t i : part.operands)
        isOnItsWay.set(i);
  for (auto [i, operand] : llvm::enumerate(op->getOperands()))
    if (!isOnItsWay[i])
      waited.insert(operand);
  for (mlir::Region &region : op->getRegions())
    region.walk([&](mlir::Operation *inner) {
      waited.insert(inner->operand_begin(), inner->operand_end());
    });
}

} // namespace spmd
