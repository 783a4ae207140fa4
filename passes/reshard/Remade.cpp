#include "spmd/passes/reshard/Remade.h"

#include "spmd/ir/rules/Projection.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace spmd {

/// What takes more ops is moved: it is worked out once for each layout. So many take less time than
/// the elements do on their way.
static constexpr int32_t mostOps = 128;

static bool isScalar(mlir::Value value) {
  mlir::RankedTensorType type = tensorTypeOf(value);
  return type && type.getRank() == 0;
}

/// Such a value has no other layouts to be made in, but may be a share of a sum.
static bool hasOneElement(mlir::Value value) {
  mlir::RankedTensorType type = tensorTypeOf(value);
  return type && type.hasStaticShape() && type.getNumElements() == 1;
}

int32_t Remade::countOps(mlir::Operation *op) const {
  int32_t atMost = 1;
  for (mlir::Value operand : op->getOperands()) {
    auto maker = known.find(operand.getDefiningOp());
    atMost += maker == known.end() ? 1 : maker->second.ops;
  }
  if (atMost <= mostOps)
    return atMost;
  llvm::SmallDenseSet<mlir::Value, mostOps> counted;
  llvm::SmallVector<mlir::Value> left(op->getOperands());
  while (!left.empty() && counted.size() < mostOps) {
    mlir::Value value = left.pop_back_val();
    if (counted.insert(value).second && known.contains(value.getDefiningOp()))
      llvm::append_range(left, value.getDefiningOp()->getOperands());
  }
  return left.empty() ? counted.size() + 1 : mostOps + 1;
}

bool Remade::add(mlir::Operation *op, const OpKind &kind) {
  auto isForNothing = [&](mlir::Value value) { return values.isFree(value) || isScalar(value); };
  if (kind.isFree || op->getNumOperands() == 0 || !llvm::all_of(op->getOperands(), isForNothing))
    return false; // So are most.
  if (kind.isPlacement || kind.treatment != Treatment::byRule || op->getNumResults() != 1 ||
      op->getNumRegions() != 0 || hasOneElement(op->getResult(0)) || !mlir::isPure(op))
    return false;
  auto isWhole = [&](mlir::Value value) {
    int32_t layout = values.layoutOf(value);
    return layout >= 0 && layouts[layout].sharding.unreduced.empty();
  };
  if (!llvm::all_of(op->getOperands(), isWhole))
    return false;
  int32_t ops = countOps(op);
  const Strategy &strategy = kind.strategies->front();
  auto passes = [](const Factor &factor) { return factor.kind == FactorKind::pass; };
  if (ops > mostOps || !strategy.windows.empty() || !llvm::all_of(strategy.rule.factors, passes) ||
      !isWhole(op->getResult(0)))
    return false;
  known[op] = {&strategy.rule, ops};
  values.markFree(op->getResult(0));
  return true;
}

void Remade::addClone(mlir::Operation *op, mlir::Operation *clone) {
  if (auto maker = known.find(op); maker != known.end()) {
    Maker same = maker->second;
    known[clone] = same;
  }
}

int32_t Remade::layoutOfOperand(mlir::Operation *op, unsigned number, int32_t wanted) {
  const OpRule &rule = *known.find(op)->second.rule;
  MeshSharding result = layouts[wanted];
  bool isExact = true;
  FactorAxes axes = project(rule, rule.results[0], result.sharding, &isExact);
  if (!isExact) // A dim of size 1 may be split along an axis, but not by a rule.
    return -1;
  if (mlir::Value operand = op->getOperand(number); isScalar(operand))
    return values.layoutOf(operand);
  Sharding sharding = unproject(rule, rule.operands[number], axes, &isExact);
  return isExact ? layouts.intern({result.mesh, std::move(sharding)}) : -1;
}

} // namespace spmd
