#include "spmd/passes/reshard/SinkReductions.h"

#include "spmd/dialect/spmd/DataFlow.h"
#include "spmd/dialect/spmd/Sizes.h"
#include "spmd/ir/rules/Split.h"

#include "mlir/Interfaces/CallInterfaces.h"

namespace spmd {

namespace {

/// So far behind a reduction, or in front of one, others are looked for.
constexpr int maxSteps = 8;

class Sinker {
public:
  Sinker(Layouts &layouts, Values &values, Moves &moves, StrategyCache &cache)
      : layouts(layouts), values(values), moves(moves), cache(cache) {}

  /// Sinks every reduction with one user, and those that appear on the way.
  bool run() {
    size_t before = moves.all().size();
    for (size_t i = 0; i < moves.all().size(); ++i)
      if (mlir::Operation *move = moves.at(i); !moves.isDropped(move))
        if (mlir::Value result = move->getResult(0); reductionOf(result) && result.hasOneUse())
          visit(*result.user_begin());
    return moves.all().size() > before;
  }

private:
  void visit(mlir::Operation *op) {
    if (!mayLetPass(op) || moves.isMove(op))
      return;
    const Strategies *strategies = cache.lookup(op);
    if (!strategies || strategies->front().rule.operands.size() != op->getNumOperands())
      return;
    for (const Strategy &strategy : *strategies)
      if (!strategy.commuting.empty() && sink(op, strategy))
        return;
  }

  /// Bodies, as those of reductions, work on elements; what flows through other regions is tied.
  static bool mayLetPass(mlir::Operation *op) {
    return op->getNumResults() == 1 && tensorTypeOf(op->getResult(0)) &&
           !llvm::isa<mlir::CallOpInterface, DataFlow>(op);
  }

  const Sharding &layoutOf(mlir::Value value) { return layouts[values.layoutOf(value)].sharding; }

  /// Returns the move beside `user` that makes `operand`, if nobody else needs it; null otherwise.
  mlir::Operation *ownMove(mlir::Value operand, mlir::Operation *user) {
    mlir::Operation *move = operand.getDefiningOp();
    return moves.isMove(move) && move->getBlock() == user->getBlock() &&
                   moves.isOnlyUser(operand, user)
               ? move
               : nullptr;
  }

  /// Returns the move that makes `operand` of a partial value; null if it is none.
  mlir::Operation *reductionOf(mlir::Value operand) {
    mlir::Operation *move = operand.getDefiningOp();
    return moves.isMove(move) && !layoutOf(move->getOperand(0)).unreduced.empty() &&
                   layoutOf(operand).unreduced.empty()
               ? move
               : nullptr;
  }

  /// Whether what is split takes no algorithm: the source's axes may lie on any factor.
  static bool splitsFreely(const OpRule &rule, const FactorAxes &axes) {
    for (int64_t f = 0; f < rule.numFactors(); ++f)
      if (FactorKind kind = rule.factors[f].kind;
          !axes[f].empty() && kind != FactorKind::pass && kind != FactorKind::reduce)
        return false;
    return true;
  }

  //===- One way to sink -----------------------------------------------------===//

  /// What the op would be: the value that each operand is made of, and how all must lie.
  struct Plan {
    llvm::SmallVector<mlir::Value, 3> sources;
    llvm::SmallVector<bool, 3> passes; ///< By operand: its source is partial.
    llvm::SmallVector<int32_t, 3> wanted;
    PartialState left; ///< In the result.
    int32_t produced = -1;
  };

  /// Lets a partial operand pass, with all others that must, if that is worth it.
  bool sink(mlir::Operation *op, const Strategy &strategy) {
    for (unsigned first = 0; first < op->getNumOperands(); ++first) {
      Plan plan;
      if (!reductionOf(op->getOperand(first)) || !choosePassing(op, strategy, first, plan) ||
          !layOut(op, strategy.rule, first, plan) || !isWorthIt(op, plan))
        continue;
      apply(op, plan);
      return true;
    }
    return false;
  }

  /// Fills the sources. Returns false if the op does not let them pass.
  bool choosePassing(mlir::Operation *op, const Strategy &strategy, unsigned first, Plan &plan) {
    ReductionKind kind = layoutOf(reductionOf(op->getOperand(first))->getOperand(0)).kind;
    auto isJoint = [&](unsigned i) {
      return strategy.commuting[i][kind].passing == Passing::jointly;
    };
    std::vector<const Sharding *> around;
    for (unsigned i = 0; i < op->getNumOperands(); ++i) {
      mlir::Operation *move = ownMove(op->getOperand(i), op);
      plan.passes.push_back(i == first || (isJoint(first) && isJoint(i)));
      if (plan.passes[i] && (!move || !reductionOf(op->getOperand(i))))
        return false;
      bool bringsAnew = move && layoutOf(move->getOperand(0)).unreduced.empty();
      plan.sources.push_back(plan.passes[i] || bringsAnew ? move->getOperand(0)
                                                          : op->getOperand(i));
      around.push_back(&layoutOf(plan.sources[i]));
    }
    std::optional<PartialState> left = passedOn(strategy, around);
    plan.left = left.value_or(PartialState());
    return left.has_value();
  }

  /// Fills the layouts: the op is split as its passing operands are, and otherwise as it is now.
  /// Returns false if there is no such split.
  bool layOut(mlir::Operation *op, const OpRule &rule, unsigned first, Plan &plan) {
    const MeshSharding source = layouts[values.layoutOf(plan.sources[first])];
    FactorAxes axes(rule.factors.size());
    std::vector<bool> isKnown(rule.factors.size(), false);
    bool isOneMesh = true;
    auto learn = [&](const TensorFactors &factors, const MeshSharding &layout) {
      isOneMesh &= layout.mesh == source.mesh;
      FactorAxes own = project(rule, factors, layout.sharding);
      for (const DimFactors &dim : factors)
        for (int32_t factor : dim)
          if (!isKnown[factor]) {
            isKnown[factor] = true;
            axes[factor] = own[factor];
          }
    };
    learn(rule.operands[first], source);
    for (unsigned i = 0; i < op->getNumOperands(); ++i)
      learn(rule.operands[i], layouts[values.layoutOf(op->getOperand(i))]);
    learn(rule.results[0], layouts[values.layoutOf(op->getResult(0))]);
    std::optional<PartialState> left = partialResult(rule, axes, plan.left);
    if (!isOneMesh || !splitsFreely(rule, axes) || !left || !(*left == plan.left))
      return false; // What the op itself leaves partial is not mixed with what passes.
    auto layOutOne = [&](const TensorFactors &factors, const PartialState &partial) {
      bool isExact = true;
      MeshSharding layout = {source.mesh, unproject(rule, factors, axes, &isExact)};
      layout.sharding.unreduced = partial.axes;
      layout.sharding.kind = partial.kind;
      return isExact ? layouts.intern(layout) : -1;
    };
    PartialState held = {source.sharding.unreduced, source.sharding.kind};
    for (unsigned i = 0; i < op->getNumOperands(); ++i) {
      plan.wanted.push_back(layOutOne(rule.operands[i], plan.passes[i] ? held : PartialState()));
      bool fits = !plan.passes[i] || plan.wanted[i] == values.layoutOf(plan.sources[i]);
      if (plan.wanted[i] < 0 || !fits)
        return false;
    }
    plan.produced = layOutOne(rule.results[0], plan.left);
    return plan.produced >= 0;
  }

  /// Whether fewer bytes travel; or as many, and there is hope for the op behind.
  bool isWorthIt(mlir::Operation *op, const Plan &plan) {
    double before = 0, after = 0;
    for (unsigned i = 0; i < op->getNumOperands(); ++i) {
      int32_t held = values.layoutOf(plan.sources[i]);
      before += moves.costOf(op->getOperand(i), held, values.layoutOf(op->getOperand(i)));
      if (!values.isFree(plan.sources[i]))
        after += moves.costOf(op->getOperand(i), held, plan.wanted[i]);
    }
    mlir::Value result = op->getResult(0);
    int32_t declared = values.layoutOf(result), target = declared;
    mlir::Operation *user = onlyUserOf(result);
    if (moves.isMove(user)) {
      target = values.layoutOf(user->getResult(0));
      before += moves.costOf(result, declared, target);
      user = onlyUserOf(user->getResult(0));
    }
    after += moves.costOf(result, plan.produced, target);
    double tolerance = 1e-9 * before;
    return after < before - tolerance ||
           (after <= before + tolerance &&
            (values.isCollected(result) || isHopeBehind(op, user, plan.left.kind)));
  }

  static mlir::Operation *onlyUserOf(mlir::Value value) {
    return value.hasOneUse() ? *value.user_begin() : nullptr;
  }

  /// Whether `user`, which alone reads what `op` makes, adds it to others that may be partial, too;
  /// or what a few ops make of it to one that is: one reduction is enough for all. Or whether these
  /// make less of it, as a product does of many columns.
  bool isHopeBehind(mlir::Operation *op, mlir::Operation *user, ReductionKind kind) {
    mlir::Value passed = op->getResult(0);
    for (int step = 0; step < maxSteps && user && user->getBlock() == op->getBlock(); ++step) {
      if (!moves.isMove(user)) {
        Passing passing = passingOf(user, kind);
        if (passing == Passing::jointly)
          return step == 0 || llvm::any_of(user->getOperands(), [&](mlir::Value operand) {
                   return operand != passed && isMadeOfReduced(operand, kind);
                 });
        if (passing == Passing::no || !mayLetPass(user))
          return false;
        if (bytesOf(user->getResult(0)) < bytesOf(op->getResult(0)))
          return true;
      }
      passed = user->getResult(0);
      user = onlyUserOf(passed);
    }
    return false;
  }

  /// Whether a few ops that let partial values pass make `value` of one that was reduced.
  bool isMadeOfReduced(mlir::Value value, ReductionKind kind) {
    for (int step = 0; step < maxSteps; ++step) {
      if (reductionOf(value))
        return true;
      mlir::Operation *op = value.getDefiningOp();
      if (!op || !value.hasOneUse() || !mayLetPass(op) || op->getNumOperands() == 0 ||
          !(moves.isMove(op) || passingOf(op, kind) == Passing::alone))
        return false;
      value = op->getOperand(0);
    }
    return false;
  }

  /// How `op` lets partial values pass; jointly if it lets some of its operands pass so.
  Passing passingOf(mlir::Operation *op, ReductionKind kind) {
    Passing passing = Passing::no;
    const Strategies *strategies = cache.lookup(op);
    if (strategies)
      for (const Commuting &commuting : strategies->front().commuting)
        passing = std::max(passing, commuting[kind].passing);
    return passing;
  }

  void apply(mlir::Operation *op, const Plan &plan) {
    int32_t declared = values.layoutOf(op->getResult(0));
    for (mlir::OpOperand &operand : op->getOpOperands()) {
      unsigned i = operand.getOperandNumber();
      mlir::Value before = operand.get();
      operand.set(moves.bringAnew(plan.sources[i], plan.wanted[i], op));
      if (before != plan.sources[i] && moves.isUnused(before))
        moves.drop(before.getDefiningOp());
    }
    moves.layOut(op, plan.produced);
    moves.passOn(llvm::cast<mlir::OpResult>(op->getResult(0)), declared);
  }

  Layouts &layouts;
  Values &values;
  Moves &moves;
  StrategyCache &cache;
};

} // namespace

bool sinkReductions(Layouts &layouts, Values &values, Moves &moves, StrategyCache &strategies) {
  return Sinker(layouts, values, moves, strategies).run();
}

} // namespace spmd
