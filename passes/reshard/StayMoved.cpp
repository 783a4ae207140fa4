#include "spmd/passes/reshard/StayMoved.h"

#include "spmd/passes/reshard/ElementWork.h"

namespace spmd {

namespace {

/// So many ops may lie otherwise for one move: what is looked at twice stays little.
constexpr size_t mostOps = 8;

class Stayer {
public:
  Stayer(Layouts &layouts, Values &values, Moves &moves, StrategyCache &cache)
      : layouts(layouts), values(values), moves(moves), cache(cache) {}

  void run() {
    for (size_t i = 0; i < moves.all().size(); ++i)
      if (mlir::Operation *move = moves.at(i); !moves.isDropped(move))
        visit(move);
  }

private:
  /// An op that would lie otherwise: what each operand is made of and how it must lie, and what
  /// comes out. -1 for an operand that an op of the plan makes.
  struct Step {
    mlir::Operation *op;
    llvm::SmallVector<mlir::Value, 3> sources;
    llvm::SmallVector<int32_t, 3> wanted;
    int32_t produced;
  };

  /// What moves for the ops that would lie otherwise, before and after.
  struct Plan {
    std::vector<Step> steps; ///< The last op first.
    double before = 0, after = 0;
  };

  bool isPartial(int32_t layout) const { return !layouts[layout].sharding.unreduced.empty(); }

  /// Looks at what stands before a move.
  void visit(mlir::Operation *last) {
    mlir::Value value = last->getOperand(0);
    int32_t held = values.layoutOf(value), wanted = values.layoutOf(last->getResult(0));
    Plan plan;
    plan.before = moves.costOf(value, held, wanted);
    if (extend(plan, value, wanted, last) && plan.after < plan.before * (1 - 1e-9))
      apply(plan, last);
  }

  /// Adds the op that makes `value`, which only `reader` reads, to those that lie otherwise.
  /// Returns whether it may.
  bool extend(Plan &plan, mlir::Value value, int32_t wanted, mlir::Operation *reader) {
    mlir::Operation *op = value.getDefiningOp();
    if (!op || plan.steps.size() == mostOps || op->getBlock() != reader->getBlock() ||
        moves.isMove(op) || values.isFree(value) || !moves.isOnlyUser(value, reader) ||
        values.isPinned(value) || values.isConstrained(value))
      return false;
    const OpRule *rule = ruleOfElementWork(op, cache);
    const MeshSharding target = layouts[wanted]; // Interning more may move it.
    if (!rule || !cutsNoLess(target, layouts[values.layoutOf(value)]))
      return false;
    FactorAxes axes = project(*rule, rule->results[0], target.sharding);
    bool isExact = true;
    auto layOutOne = [&](const TensorFactors &factors) {
      return layouts.intern({target.mesh, unproject(*rule, factors, axes, &isExact)});
    };
    Step step{op, {}, {}, layOutOne(rule->results[0])};
    for (const TensorFactors &operand : rule->operands)
      step.wanted.push_back(layOutOne(operand));
    if (!isExact || step.produced != wanted)
      return false;
    size_t number = plan.steps.size();
    plan.steps.push_back(step);
    for (unsigned i = 0; i < op->getNumOperands(); ++i)
      if (!feed(plan, number, i))
        return false;
    return true;
  }

  /// Finds where operand `i` of a step comes from.
  bool feed(Plan &plan, size_t number, unsigned i) {
    mlir::Operation *op = plan.steps[number].op;
    mlir::Value operand = op->getOperand(i), source = operand;
    int32_t wanted = plan.steps[number].wanted[i], held = values.layoutOf(operand);
    for (unsigned j = 0; j < i; ++j) // What is read twice comes once.
      if (op->getOperand(j) == operand) {
        plan.steps[number].sources.push_back(plan.steps[number].sources[j]);
        plan.steps[number].wanted[i] = plan.steps[number].wanted[j];
        return readsAlike(op, i, j);
      }
    if (!values.isFree(operand) && held != wanted) {
      mlir::Operation *maker = operand.getDefiningOp();
      if (moves.isMove(maker)) {
        source = maker->getOperand(0);
        if (isPartial(values.layoutOf(source)) || values.isConstrained(source) ||
            values.isConstrained(operand))
          return false;
        if (maker->getBlock() == op->getBlock() && moves.isOnlyUser(operand, op))
          plan.before += moves.costOf(operand, values.layoutOf(source), held);
      } else if (Plan longer = plan; extend(longer, operand, wanted, op)) {
        plan = std::move(longer);
        plan.steps[number].wanted[i] = -1;
      }
      if (plan.steps[number].wanted[i] >= 0)
        plan.after += moves.costOf(operand, values.layoutOf(source), wanted);
    }
    plan.steps[number].sources.push_back(source);
    return true;
  }

  bool readsAlike(mlir::Operation *op, unsigned i, unsigned j) {
    const OpRule &rule = *ruleOfElementWork(op, cache);
    return rule.operands[i] == rule.operands[j];
  }

  void apply(const Plan &plan, mlir::Operation *last) {
    for (const Step &step : llvm::reverse(plan.steps)) {
      for (mlir::OpOperand &operand : step.op->getOpOperands()) {
        unsigned i = operand.getOperandNumber();
        if (step.wanted[i] < 0)
          continue;
        mlir::Value before = operand.get();
        operand.set(moves.bringOutOfTurn(step.sources[i], step.wanted[i], step.op));
        if (before != step.sources[i] && moves.isUnused(before))
          moves.drop(before.getDefiningOp());
      }
      moves.layOut(step.op, step.produced);
    }
    moves.replace(last, last->getOperand(0));
  }

  Layouts &layouts;
  Values &values;
  Moves &moves;
  StrategyCache &cache;
};

} // namespace

void stayMoved(Layouts &layouts, Values &values, Moves &moves, StrategyCache &strategies) {
  Stayer(layouts, values, moves, strategies).run();
}

} // namespace spmd
