#include "spmd/passes/reshard/SinkReductions.h"

#include "spmd/dialect/spmd/DataFlow.h"
#include "spmd/dialect/spmd/Sizes.h"
#include "spmd/ir/rules/Split.h"

#include "mlir/Interfaces/CallInterfaces.h"

namespace spmd {

namespace {

/// So far behind a reduction, or in front of one, others are looked for.
constexpr int maxSteps = 8;

/// So many values are looked at for that, beside what many are joined to.
constexpr int maxLooks = 64;

class Sinker {
public:
  Sinker(Layouts &layouts, Values &values, Moves &moves, StrategyCache &cache)
      : layouts(layouts), values(values), moves(moves), cache(cache) {}

  /// Sinks every reduction with one user, and those that appear on the way.
  bool run() {
    size_t before = moves.all().size();
    for (size_t i = 0; i < moves.all().size(); ++i)
      if (mlir::Operation *move = moves.at(i); !moves.isDropped(move))
        if (mlir::Value result = move->getResult(0); reductionOf(result))
          if (mlir::Operation *user = onlyUserOf(result))
            visit(user);
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
    const MeshSharding &shares =
        layouts[values.layoutOf(reductionOf(op->getOperand(first))->getOperand(0))];
    for (unsigned i = 0; i < op->getNumOperands(); ++i) {
      mlir::Operation *move = ownMove(op->getOperand(i), op);
      plan.passes.push_back(i == first || (isJoint(first) && isJoint(i)));
      if (plan.passes[i] && (!move || !reductionOf(op->getOperand(i)))) {
        if (!mayBecomeShare(op, i, shares))
          return false;
        plan.sources.push_back(op->getOperand(i));
        around.push_back(&shares.sharding);
        continue;
      }
      bool bringsAnew = move && layoutOf(move->getOperand(0)).unreduced.empty();
      plan.sources.push_back(plan.passes[i] || bringsAnew ? move->getOperand(0)
                                                          : op->getOperand(i));
      around.push_back(&layoutOf(plan.sources[i]));
    }
    std::optional<PartialState> left = passedOn(strategy, around);
    plan.left = left.value_or(PartialState());
    return left.has_value();
  }

  /// Whether a loop reduces what `op` makes behind its last turn.
  bool isReducedBehind(mlir::Value value) {
    return values.isCollected(value) || values.isDeferred(value);
  }

  /// Whether operand `number`, which all devices have alike, may be left to one of those that
  /// have `shares`: all of the sum is then reduced behind the loop that collects it.
  bool mayBecomeShare(mlir::Operation *op, unsigned number, const MeshSharding &shares) {
    const MeshSharding &held = layouts[values.layoutOf(op->getOperand(number))];
    return isReducedBehind(op->getResult(0)) && held.mesh == shares.mesh &&
           held.sharding.unreduced.empty() &&
           llvm::none_of(held.sharding.dims, [&](const DimSharding &dim) {
             return overlaps(dim.axes, shares.sharding.unreduced);
           });
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
      bool fits = !plan.passes[i] || layoutOf(plan.sources[i]).unreduced.empty() ||
                  plan.wanted[i] == values.layoutOf(plan.sources[i]);
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
    mlir::Value passed = result;
    if (mlir::Operation *user = onlyUserOf(result); moves.isMove(user)) {
      passed = user->getResult(0);
      target = values.layoutOf(passed);
      before += moves.costOf(result, declared, target);
    }
    after += moves.costOf(result, plan.produced, target);
    double tolerance = 1e-9 * before;
    return after < before - tolerance ||
           (after <= before + tolerance &&
            (isReducedBehind(result) || isHopeBehind(op, passed, plan.left.kind)));
  }

  mlir::Operation *onlyUserOf(mlir::Value value) {
    mlir::OpOperand *use = moves.onlyUseOf(value);
    return use ? use->getOwner() : nullptr;
  }

  /// Whether what alone reads `passed`, the result of `op` or of its move, adds it to others that
  /// may be partial, too; or what a few ops make of it to one that is: one reduction is enough for
  /// all, in whatever order the optimizer finds them added. Or whether these make less of it, as a
  /// product does of many columns.
  bool isHopeBehind(mlir::Operation *op, mlir::Value passed, ReductionKind kind) {
    bool isInSum = false;
    for (int step = 0; step < maxSteps; ++step) {
      mlir::Operation *user = onlyUserOf(passed);
      if (!user || user->getBlock() != op->getBlock())
        return false;
      if (!moves.isMove(user)) {
        Commuting::Entry entry = entryOf(*moves.onlyUseOf(passed), kind);
        bool isAdded = entry.passing == Passing::jointly;
        if (isAdded && (step == 0 || isBesideReduced(user, passed, kind)))
          return true;
        if (entry.passing == Passing::no || !mayLetPass(user) || (isInSum && !isAdded))
          return false;
        isInSum = isAdded;
        if (bytesOf(user->getResult(0)) < bytesOf(op->getResult(0)))
          return true;
        kind = entry.becomes;
      }
      passed = user->getResult(0);
    }
    return false;
  }

  /// Whether an operand of `op` other than `passed` is made of one that was reduced.
  bool isBesideReduced(mlir::Operation *op, mlir::Value passed, ReductionKind kind) {
    int looks = maxLooks;
    return llvm::any_of(op->getOperands(), [&](mlir::Value operand) {
      return operand != passed && isMadeOfReduced(operand, kind, maxSteps, looks, true);
    });
  }

  /// Whether up to `steps` ops that let partial values pass make `value`, of `kind` then, of one
  /// that was reduced, or add it to others if it is `inSum`. Looks at so many values at most.
  bool isMadeOfReduced(mlir::Value value, ReductionKind kind, int steps, int &looks, bool inSum) {
    if (looks-- <= 0)
      return false;
    if (mlir::Operation *move = reductionOf(value))
      return layoutOf(move->getOperand(0)).kind == kind;
    mlir::Operation *op = value.getDefiningOp();
    if (!op || steps == 0 || !moves.onlyUseOf(value) || !mayLetPass(op))
      return false;
    if (moves.isMove(op))
      return isMadeOfReduced(op->getOperand(0), kind, steps - 1, looks, false);
    return llvm::any_of(op->getOpOperands(), [&](mlir::OpOperand &operand) {
      return llvm::any_of(allReductionKinds, [&](ReductionKind before) {
        Commuting::Entry entry = entryOf(operand, before);
        bool isAdded = entry.passing == Passing::jointly && inSum;
        return (isAdded || entry.passing == Passing::alone) && entry.becomes == kind &&
               isMadeOfReduced(operand.get(), before, steps - 1, looks, isAdded);
      });
    });
  }

  /// How `operand` passes its op, if it is partial.
  Commuting::Entry entryOf(mlir::OpOperand &operand, ReductionKind kind) {
    const Strategies *strategies = cache.lookup(operand.getOwner());
    unsigned number = operand.getOperandNumber();
    return strategies && number < strategies->front().commuting.size()
               ? strategies->front().commuting[number][kind]
               : Commuting::Entry();
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
