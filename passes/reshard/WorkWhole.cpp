#include "spmd/passes/reshard/WorkWhole.h"

#include "spmd/passes/reshard/ElementWork.h"

#include <limits>

namespace spmd {

namespace {

/// So many ops are looked at.
constexpr int64_t mostOps = 32;

/// What they make together may be so many times larger than what is gathered.
constexpr int64_t mostWork = 4;

class Worker {
public:
  Worker(mlir::Operation *gather, Layouts &layouts, Values &values, Moves &moves,
         StrategyCache &cache)
      : gather(gather), layouts(layouts), values(values), moves(moves), cache(cache) {}

  bool run() {
    mlir::Value value = gather->getOperand(0);
    int32_t wanted = values.layoutOf(gather->getResult(0));
    if (!tensorTypeOf(value).hasStaticShape() || !plan(value, wanted) || !isAnyCut)
      return false;
    moves.replace(gather, make(value, wanted, gather, gather));
    return true;
  }

private:
  /// An op that is to make its result lie so, of operands that lie so; -1 for one as it is.
  struct Step {
    int32_t produced;
    llvm::SmallVector<int32_t, 3> wanted;
  };

  /// Whether `value` is there as `wanted`, or a few light ops make it so; notes these.
  bool plan(mlir::Value value, int32_t wanted) {
    if (foundFor(value, wanted))
      return true;
    mlir::Operation *op = value.getDefiningOp();
    if (!op || op->getBlock() != gather->getBlock() || moves.isMove(op) || !isLight(op))
      return false;
    auto [known, isNew] = steps.try_emplace(op);
    if (!isNew)
      return known->second.produced == wanted;
    bits += bitsOf(op->getResult(0));
    if (steps.size() > size_t(mostOps) || bits > mostWork * bitsOf(gather->getResult(0)))
      return false;
    Step step = {wanted, {}};
    if (!layOut(op, step))
      return false;
    steps[op] = step;
    for (auto [operand, layout] : llvm::zip(op->getOperands(), step.wanted))
      if (layout >= 0 && !plan(operand, layout))
        return false;
    return true;
  }

  /// Returns `value` as `wanted`, if that takes no communication: as it is, before it was cut, or
  /// made anew.
  mlir::Value foundFor(mlir::Value value, int32_t wanted) {
    if (values.layoutOf(value) == wanted || values.isFree(value))
      return value;
    while (values.isInserted(value)) {
      value = value.getDefiningOp()->getOperand(0);
      if (values.layoutOf(value) == wanted) {
        isAnyCut = true;
        return value;
      }
    }
    return nullptr;
  }

  /// Whether `op` makes one tensor with little work.
  bool isLight(mlir::Operation *op) {
    if (!makesOneTensor(op) || values.isPinned(op->getResult(0)) ||
        values.isConstrained(op->getResult(0)))
      return false;
    const Strategies *strategies = cache.lookup(op);
    return strategies && !strategies->empty() &&
           (strategies->front().flops == 0 || ruleOfElementWork(op, cache)) &&
           strategies->front().rule.operands.size() == op->getNumOperands() &&
           strategies->front().rule.results.size() == 1;
  }

  static int64_t bitsOf(mlir::Value value) {
    mlir::RankedTensorType type = tensorTypeOf(value);
    return type.hasStaticShape()
               ? type.getNumElements() * static_cast<int64_t>(elementBits(type.getElementType()))
               : std::numeric_limits<int64_t>::max() / (2 * mostOps);
  }

  /// Fills how operands lie if the result is to lie so; returns false if that takes more than to
  /// split freely.
  bool layOut(mlir::Operation *op, Step &step) {
    const OpRule &rule = cache.lookup(op)->front().rule;
    const MeshSharding target = layouts[step.produced]; // Interning more may move it.
    bool fits = target.sharding.unreduced.empty(), isExact = true;
    FactorAxes axes = project(rule, rule.results[0], target.sharding, &isExact);
    fits &= isExact;
    for (auto [factor, split] : llvm::zip(rule.factors, axes))
      fits &= split.empty() || factor.kind == FactorKind::pass;
    for (auto [operand, factors] : llvm::zip(op->getOperands(), rule.operands)) {
      bool isTensor = static_cast<bool>(tensorTypeOf(operand));
      step.wanted.push_back(
          isTensor ? layouts.intern({target.mesh, unproject(rule, factors, axes, &isExact)}) : -1);
      fits &= isExact;
    }
    return fits;
  }

  /// Returns `value` as `wanted`, usable at `place`: by the op that makes it, or by a copy where
  /// others than `reader` read it.
  mlir::Value make(mlir::Value value, int32_t wanted, mlir::Operation *reader,
                   mlir::Operation *place) {
    if (mlir::Value found = foundFor(value, wanted))
      return moves.bringOutOfTurn(found, wanted, place);
    mlir::Operation *op = value.getDefiningOp();
    if (auto known = made.find(op); known != made.end())
      return known->second;
    mlir::Operation *whole = moves.isOnlyUser(value, reader) ? op : mlir::OpBuilder(op).clone(*op);
    moves.layOut(whole, wanted);
    for (auto [number, layout] : llvm::enumerate(steps[op].wanted))
      if (layout >= 0)
        whole->setOperand(number, make(op->getOperand(number), layout, op, whole));
    return made[op] = whole->getResult(0);
  }

  mlir::Operation *gather;
  Layouts &layouts;
  Values &values;
  Moves &moves;
  StrategyCache &cache;
  llvm::DenseMap<mlir::Operation *, Step> steps;
  llvm::DenseMap<mlir::Operation *, mlir::Value> made;
  int64_t bits = 0;      ///< Of what the ops make.
  bool isAnyCut = false; ///< Some leaf was cut from what is whole.
};

} // namespace

bool workWhole(mlir::Operation *gather, Layouts &layouts, Values &values, Moves &moves,
               StrategyCache &strategies) {
  return Worker(gather, layouts, values, moves, strategies).run();
}

} // namespace spmd
